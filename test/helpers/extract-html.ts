import { extract } from '../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type ExtractInput, type Extraction } from '../../src/extract/extraction.ts';

export const NOW = Date.parse('2026-11-20T10:00:00Z');
const never = new AbortController().signal;
const noFiles = () => Promise.reject(new Error('a page is no file'));

/** Extracts a page at `https://site.example/offers/a-page`. */
export function extractHtml(html: string, changes: Partial<ExtractInput> = {}): Promise<Extraction> {
  const input: ExtractInput = {
    url: 'https://site.example/offers/a-page',
    body: Buffer.from(html),
    headers: { contentType: 'text/html' },
    settings: DEFAULT_EXTRACT_SETTINGS,
    now: NOW,
    ...changes,
  };
  return extract({ parseFile: noFiles }, input, never);
}

/** Values of one field. */
export async function fieldOf(html: string, name: string, url?: string): Promise<readonly string[] | undefined> {
  const { fields } = await extractHtml(html, url === undefined ? {} : { url });
  return fields.get(name);
}

/** JSON-LD as a page holds it. */
export function jsonLd(...items: readonly unknown[]): string {
  return items.map((item) => `<script type="application/ld+json">${JSON.stringify(item)}</script>`).join('');
}
