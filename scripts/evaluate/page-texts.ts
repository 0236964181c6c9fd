import { firstValue, type StoredDocument } from '../../src/core/document.ts';
import type { PageTexts } from '../bench/search/peer-messages.ts';

/** What other engines are given of a document: its own texts, without those of links that lead to it. */
export function pageTexts({ id, fields }: StoredDocument): PageTexts {
  const textOf = (...names: readonly string[]) => names.flatMap((name) => fields.get(name) ?? []).join('\n');
  return {
    id,
    title: firstValue(fields, 'Title'),
    headings: textOf('Headings'),
    content: textOf('Description', 'Content'),
  };
}
