import { readdirSync, readFileSync } from 'node:fs';
import { firstValue } from '../../src/core/document.ts';
import { extract } from '../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type Extraction } from '../../src/extract/extraction.ts';
import type { AnswerDocument } from './answers/sets.ts';

/** HTML by the path of its page. */
export type Pages = ReadonlyMap<string, Uint8Array>;

export function pagesBelow(folder: string): Pages {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const pages = names.filter((name) => name.endsWith('.html') && !name.startsWith('_'));
  return new Map(pages.map((name) => [name, readFileSync(folder + name)]));
}

/** What the product reads from a page of a corpus, whatever the day. */
export function extractPage(url: string, body: Uint8Array): Promise<Extraction> {
  return extract(
    { parseFile: () => Promise.reject(new Error(`${url} is no page`)) },
    {
      url,
      body,
      headers: { contentType: 'text/html' },
      settings: DEFAULT_EXTRACT_SETTINGS,
      now: Date.parse('2026-01-01'),
    },
    new AbortController().signal,
  );
}

export type CorpusPage = { readonly id: string; readonly url: string; readonly body: Uint8Array };

/** The page as sets of questions about answers keep it; undefined for a page without text. */
export async function readAnswerDocument({ id, url, body }: CorpusPage): Promise<AnswerDocument | undefined> {
  const { status, fields, language, structure } = await extractPage(url, body);
  if (status !== 'ok') return undefined;
  return {
    id,
    url,
    language: language?.code ?? 'en',
    title: firstValue(fields, 'Title'),
    description: firstValue(fields, 'Description'),
    sections: structure.sections.map(({ id: _, ...section }) => section),
  };
}
