import { decodeText } from './charset.ts';
import type { ExtractInput, Extraction, MediaKind, ParseFile } from './extraction.ts';
import { extractFile } from './files/extract-file.ts';
import { unreadFile } from './files/file-status.ts';
import { readPlainText } from './files/plain-text.ts';
import { builtInModel, type ContentModel } from './html/content-model.ts';
import { extractPage } from './html/extract-page.ts';
import { mediaKindOf } from './media-type.ts';

export type ExtractDeps = {
  readonly parseFile: ParseFile;
  /** The product's own when absent. */
  readonly contentModel?: ContentModel | undefined;
};

/**
 * The document, links and directives of a page or file. The same input gives the same result; nothing that the body
 * holds makes it throw: what cannot be read is a status with a reason. Rejects by the signal only.
 */
export async function extract(deps: ExtractDeps, input: ExtractInput, signal: AbortSignal): Promise<Extraction> {
  const { body, url, headers } = input;
  const media = mediaKindOf({ body, contentType: headers.contentType, url });
  switch (media) {
    case 'html':
    case 'xml':
      return extractPage(deps.contentModel ?? builtInModel(), input, {
        decoded: decodeText(body, headers.contentType),
        media,
      });
    case 'text': {
      const decoded = decodeText(body, headers.contentType);
      return extractFile(input, readPlainText(decoded), media, decoded.charset);
    }
    case 'pdf':
    case 'docx':
      return extractFile(input, await deps.parseFile(body, media, signal), media);
    case 'encrypted-office':
      return extractFile(input, unreadFile('encrypted', 'The file needs a password'), media);
    case 'sitemap':
    case 'feed':
    case 'unsupported':
      return extractFile(input, unreadFile('unsupported', UNSUPPORTED[media]), media);
  }
}

const UNSUPPORTED: Readonly<Record<Extract<MediaKind, 'sitemap' | 'feed' | 'unsupported'>, string>> = {
  sitemap: 'A sitemap is a list of pages, no document',
  feed: 'A feed is a list of pages, no document',
  unsupported: 'The format is not supported',
};
