import type { NewDocument } from '../../core/document.ts';
import { hostOf } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';

/**
 * The document of a visited page: its id is its URL in normal form. Its texts are copies: a part of a string keeps the
 * whole in memory, and a title the page, until the document is on disk. Contract: 2.8.
 */
export function pageDocument(extraction: Extraction, url: string): NewDocument {
  const language = extraction.language?.code ?? '';
  const { fields: read, structure } = structuredClone({ fields: extraction.fields, structure: extraction.structure });
  const fields = new Map(read);
  // Rules for fields may have set them.
  if (!fields.has('Url')) fields.set('Url', [url]);
  if (!fields.has('Domain')) fields.set('Domain', [hostOf(url)]);
  if (language !== '') fields.set('Language', [language]);
  return { id: url, kind: extraction.kind, origin: 'crawled', language, fields, structure };
}
