import type { DocumentKind, DocumentPatch, Fields } from '../core/document.ts';
import type { PatchOutcome } from '../storage/document-store.ts';
import { statedLanguage } from './document-language.ts';
import type { WriteDeps, WriteResult, WriteTarget, WrittenRow } from './put-documents.ts';
import { storedFields } from './stored-fields.ts';

/** A partial update as a request sends it: an empty list of values removes the field, an absent kind keeps it. */
export type SentPatch = { readonly id: string; readonly kind: DocumentKind | undefined; readonly fields: Fields };

/**
 * Changes the sent fields of known documents; durable when it resolves. A document that would grow over the text
 * limit is reported in its row and stays as it was. Contract: 8.1.
 */
export async function patchDocuments(
  deps: WriteDeps,
  { engine, crawler }: WriteTarget,
  sent: readonly SentPatch[],
): Promise<WriteResult> {
  const store = await deps.engineStores.of(engine.id);
  const patches = { patches: sent.map(toPatch), maxTextBytes: deps.maxDocumentBytes };
  const receipt = await store.patchDocuments(crawler.id, patches, deps.clock.now());
  const rows = sent.map(({ id, kind }, index): WrittenRow => {
    return { id, outcome: outcomeOf(receipt.rows[index]), kind: receipt.kinds[index] ?? kind ?? 'PageContent' };
  });
  return { seq: receipt.seq, rows };
}

function outcomeOf(outcome: PatchOutcome | undefined): WrittenRow['outcome'] {
  return outcome === 'missing' || outcome === 'too-large' ? outcome : 'stored';
}

function toPatch({ id, kind, fields }: SentPatch): DocumentPatch {
  const stored = storedFields(fields);
  return { id, kind, fields: stored, language: statedLanguage(stored) };
}
