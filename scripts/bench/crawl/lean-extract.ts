import { hash } from 'node:crypto';
import type { Extract } from '../../../src/crawl/visit/visit-url.ts';
import type { Extraction } from '../../../src/extract/extraction.ts';
import { readPage } from './read-page.ts';

/** As little of a page as the in-memory loop reads, in the form of an extraction. */
export const leanExtract: Extract = async ({ url, body }) => {
  const { title, description, text, links } = readPage(Buffer.from(body).toString(), url);
  const contentHash = hash('sha256', text);
  return {
    status: 'ok',
    reason: '',
    kind: 'PageContent',
    language: undefined,
    cuts: [],
    canonicalUrl: undefined,
    fields: new Map([
      ['Title', [title]],
      ['Description', [description]],
      ['Content', [text]],
    ]),
    structure: { version: 1, sections: [], surroundings: '' },
    outlinks: links.map((link) => ({ url: link, text: '', texts: [], region: 'content', follow: true })),
    directives: { index: true, follow: true, snippet: true, unavailableAfter: undefined, sources: [] },
    alternates: [],
    feeds: [],
    refreshUrl: undefined,
    renderWanted: undefined,
    asksPassword: false,
    robotWall: undefined,
    templateBlocks: [],
    isTitleSettled: true,
    headTitle: '',
    contentHash,
    similarityHash: contentHash.slice(0, 16),
    trace: { media: 'html', charset: 'utf-8', sources: {}, hiddenChars: 0, notes: [] },
  } satisfies Extraction;
};
