import { readdirSync, readFileSync } from 'node:fs';
import { extract } from '../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type Extraction } from '../../src/extract/extraction.ts';

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
