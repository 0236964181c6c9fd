import type { Clock } from '../core/clock.ts';
import {
  type DocumentKind,
  type DocumentPatch,
  type Fields,
  firstValue,
  type NewDocument,
  type StoredDocument,
  textBytes,
} from '../core/document.ts';
import type { CompareOperator, FilterNode } from '../core/filters.ts';
import type { Crawler, Engine } from '../core/records.ts';
import { isAbsoluteUrl } from '../core/url.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { PatchOutcome } from '../storage/engine/documents.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { detectLanguage, languageCode } from '../text/language.ts';

/** A document as a request sends it: values are text, fields without a value are left out. */
export type SentDocument = { readonly id: string; readonly kind: DocumentKind; readonly fields: Fields };

/** `kind` = what is stored now. */
export type WrittenRow = {
  readonly id: string;
  readonly outcome: 'stored' | 'too-large' | 'missing';
  readonly kind: DocumentKind;
};

/** `seq` = what the index must have reached for all rows to be searchable. */
type WriteResult = { readonly seq: number; readonly rows: readonly WrittenRow[] };

export type WriteDeps = {
  readonly engineStores: EngineStores;
  readonly clock: Clock;
  /** UTF-8 bytes of text of one document. */
  readonly maxDocumentBytes: number;
};

type WriteTarget = { readonly engine: Engine; readonly crawler: Crawler };

/**
 * Creates or replaces documents; durable when it resolves. One over the text limit is reported in its row, keeps
 * its older version and does not hold up the others. Contract: 8.1.
 */
export async function putDocuments(
  deps: WriteDeps,
  { engine, crawler }: WriteTarget,
  sent: readonly SentDocument[],
): Promise<WriteResult> {
  const rows = sent.map(({ id, kind, fields }): WrittenRow => {
    return { id, kind, outcome: textBytes(fields) > deps.maxDocumentBytes ? 'too-large' : 'stored' };
  });
  const documents = sent
    .filter((_, index) => rows[index]?.outcome === 'stored')
    .map((document) => toNewDocument(document, engine.language));
  const store = await deps.engineStores.of(engine.id);
  if (documents.length === 0) return { seq: await store.lastSeq(), rows };
  const { seq } = await store.putDocuments(crawler.id, documents, deps.clock.now());
  return { seq, rows };
}

function toNewDocument({ id, kind, fields }: SentDocument, engineLanguage: string): NewDocument {
  const stored = withUrl(id, storedFields(fields));
  return { id, kind, origin: 'pushed', fields: stored, language: documentLanguage(stored, engineLanguage) };
}

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

export type DeleteDeps = { readonly engineStores: EngineStores; readonly clock: Clock };

/** `kinds` = what each deleted document was, in order of the ids; undefined for unknown ids. */
export type DeleteResult = {
  readonly seq: number;
  readonly deleted: number;
  readonly kinds: readonly (DocumentKind | undefined)[];
};

/** Deletes documents by id, at once and for good; unknown ids are no error. Durable when it resolves. Contract: 8.2. */
export async function deleteDocuments(
  deps: DeleteDeps,
  { engine, crawler }: WriteTarget,
  ids: readonly string[],
): Promise<DeleteResult> {
  const store = await deps.engineStores.of(engine.id);
  const { seq, rows, kinds } = await store.deleteDocuments(crawler.id, ids, deps.clock.now());
  return { seq, kinds, deleted: rows.filter((outcome) => outcome === 'deleted').length };
}

const PREDICATE_OPERATORS = [
  'eq',
  'in',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'exists',
  'notexists',
  'prefix',
  'contains',
] as const;
export type PredicateOperator = (typeof PREDICATE_OPERATORS)[number];

/** One predicate of bulk-delete; all must hold. Contract: 8.3. */
export type DeletePredicate = {
  readonly field: string;
  readonly operator: PredicateOperator;
  readonly values: readonly string[];
};

/** How long a deletion waits for the index to show all earlier writes before it reads the store instead. */
const VISIBLE_WITHIN_MS = 2_000;

/**
 * Deletes the documents of one crawler that fit every predicate; durable and all or nothing when it resolves.
 * The index names candidates, the store decides on the state at its commit. Contract: 8.3.
 */
export async function bulkDelete(
  deps: DeleteDeps & { readonly searchIndex: SearchIndex },
  { engine, crawler }: WriteTarget,
  predicates: readonly DeletePredicate[],
): Promise<{ readonly seq: number; readonly deleted: number }> {
  const { searchIndex, clock } = deps;
  const store = await deps.engineStores.of(engine.id);
  const filter: FilterNode = { kind: 'and', of: predicates.map(toFilter) };
  const seq = await store.lastSeq();
  const visible = await searchIndex.waitVisible(engine.id, seq, AbortSignal.timeout(VISIBLE_WITHIN_MS));
  // Without a current index every document of the crawler counts as changed, so the store judges each of them.
  const candidates = visible ? await searchIndex.matchingRids(engine.id, filter) : { seq: 0, rids: new Uint32Array(0) };
  const types = new Map((await searchIndex.fields(engine.id)).map(({ name, type }) => [name, type]));
  return store.deleteMatching(crawler.id, { candidates, filter, types }, clock.now());
}

function toFilter({ field: sentField, operator, values }: DeletePredicate): FilterNode {
  const field = sentField === 'id' ? 'Id' : sentField;
  switch (operator) {
    case 'in':
      return { kind: 'compare', field, operator: 'eq', values };
    case 'ne':
      return { kind: 'and', of: [{ kind: 'exists', field }, compare(field, 'ne', values)] };
    case 'exists':
      return { kind: 'exists', field };
    case 'notexists':
      return { kind: 'not', of: { kind: 'exists', field } };
    case 'prefix':
    case 'contains':
      return { kind: 'text', field, operator, values };
    default:
      return compare(field, operator, values);
  }
}

function compare(field: string, operator: CompareOperator, values: readonly string[]): FilterNode {
  return { kind: 'compare', field, operator, values };
}

type BrowseDeps = { readonly engineStores: Pick<EngineStores, 'of'> };

/** Live documents of an engine, or of one of its crawlers, ascending by row id after `after`. */
export async function browseDocuments(
  { engineStores }: BrowseDeps,
  engineId: number,
  input: { readonly crawlerId?: number; readonly after: number; readonly limit: number },
): Promise<readonly StoredDocument[]> {
  return (await engineStores.of(engineId)).listDocuments(input);
}

/** The live document of a row id, also a damaged one; undefined when there is none. */
export async function readDocument(
  { engineStores }: BrowseDeps,
  engineId: number,
  rid: number,
): Promise<StoredDocument | undefined> {
  const [document] = await (await engineStores.of(engineId)).listDocuments({ after: rid - 1, limit: 1 });
  return document?.rid === rid ? document : undefined;
}

/** Characters of the content that detection looks at; with the title they are enough for 96 % (search-engine 5). */
const SAMPLE_CHARS = 400;

/**
 * Language that a document is analysed in: its `Language` field when that is a known code, else what title and beginning
 * look like, else the engine's. It is stored, so a rebuild of the index gives the same words.
 */
function documentLanguage(fields: Fields, engineLanguage: string): string {
  const stated = statedLanguage(fields);
  if (stated !== undefined) return stated;
  const sample = `${firstValue(fields, 'Title')} ${firstValue(fields, 'Content').slice(0, SAMPLE_CHARS)}`;
  const detected = detectLanguage(sample);
  return (detected === undefined ? undefined : languageCode(detected)) ?? engineLanguage;
}

/** The language that a `Language` field names; undefined when it names none. */
function statedLanguage(fields: Fields): string | undefined {
  return languageCode(firstValue(fields, 'Language'));
}

/** Names that the system answers itself: sent values are not stored. Contract: 2.8. */
const SYSTEM_FIELDS: ReadonlySet<string> = new Set(['Id', '_type']);

/** The fields of a request that are stored. */
function storedFields(sent: Fields): Fields {
  return new Map([...sent].filter(([name]) => !SYSTEM_FIELDS.has(name)));
}

/** A document without `Url` is found at its id when that is an address. Contract: 8.1. */
function withUrl(id: string, fields: Fields): Fields {
  if (fields.has('Url') || !isAbsoluteUrl(id)) return fields;
  return new Map([...fields, ['Url', [id]]]);
}
