import type { DocumentKind, DocumentPatch, Fields } from '../core/document.ts';
import { statedLanguage } from './document-language.ts';
import type { WriteDeps, WriteResult, WriteTarget, WrittenRow } from './put-documents.ts';
import { storedFields, textBytes } from './stored-fields.ts';

/** A partial update as a request sends it: an empty list of values removes the field, an absent kind keeps it. */
export type SentPatch = { readonly id: string; readonly kind: DocumentKind | undefined; readonly fields: Fields };

/** Changes the sent fields of known documents; durable when it resolves. Contract: 8.1. */
export async function patchDocuments(
  deps: WriteDeps,
  { engine, crawler }: WriteTarget,
  sent: readonly SentPatch[],
): Promise<WriteResult> {
  const store = await deps.engineStores.of(engine.id);
  const fitting = sent.filter(({ fields }) => textBytes(fields) <= deps.maxDocumentBytes);
  const receipt = await store.patchDocuments(crawler.id, fitting.map(toPatch), deps.clock.now());
  const written = new Map<SentPatch, WrittenRow>(
    fitting.map((patch, index) => {
      const outcome = receipt.rows[index] === 'missing' ? 'missing' : 'stored';
      return [patch, { id: patch.id, outcome, kind: receipt.kinds[index] ?? patch.kind ?? 'PageContent' }];
    }),
  );
  const tooLarge = ({ id, kind }: SentPatch): WrittenRow => ({ id, outcome: 'too-large', kind: kind ?? 'PageContent' });
  return { seq: receipt.seq, rows: sent.map((patch) => written.get(patch) ?? tooLarge(patch)) };
}

function toPatch({ id, kind, fields }: SentPatch): DocumentPatch {
  const stored = storedFields(fields);
  return { id, kind, fields: stored, language: statedLanguage(stored) };
}
