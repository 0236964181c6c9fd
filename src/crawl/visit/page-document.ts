import type { NewDocument } from '../../core/document.ts';
import { hostOf } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';

/**
 * The document of a visited page: its id is its URL in normal form. Its texts are copies: a part of a string keeps the
 * whole in memory, and a title the page, until the document is on disk. Contract: 2.8.
 */
export function pageDocument(extraction: Extraction, url: string): NewDocument {
  const language = extraction.language?.code ?? '';
  const read = [...extraction.fields].map(([name, values]) => [copyOf(name), values.map(copyOf)] as const);
  const fields = new Map<string, readonly string[]>(read);
  const structure = structuredClone(extraction.structure);
  // Rules for fields may have set them.
  if (!fields.has('Url')) fields.set('Url', [url]);
  if (!fields.has('Domain')) fields.set('Domain', [hostOf(url)]);
  if (language !== '') fields.set('Language', [language]);
  return { id: url, kind: extraction.kind, origin: 'crawled', language, fields, structure };
}

/** A text put together is written out when a part of it is asked for; what is kept then is that copy. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
