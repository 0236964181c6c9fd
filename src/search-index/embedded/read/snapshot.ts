import { type FieldType, typeBySuffix } from '../../../core/field-values.ts';
import { EMPTY_VOCABULARY, type Vocabulary } from '../../../text/compounds.ts';
import type { WordKnowledge } from '../../word-forms.ts';
import type { NumberedField } from '../field-numbers.ts';
import type { FieldColumns, OwnField, Segment } from '../segment/segment.ts';
import { checkStop } from '../stop-point.ts';

/** Characters of texts read between two stop points: half a millisecond with what is done with them. */
const CHARS_BETWEEN_STOPS = 1 << 16;
/** What a text costs beside its characters. */
const CHARS_PER_TEXT = 64;

/** A segment as one generation sees it. The same object as long as neither changes, so that caches can hang on it. */
export type SegmentView = {
  readonly segment: Segment;
  /** Bit 1 = live; undefined = every document is. */
  readonly live: Uint32Array | undefined;
  readonly liveCount: number;
};

/** What a snapshot is beside its segments; can be sent to a thread. */
export type SnapshotFacts = {
  readonly engineId: number;
  readonly generation: number;
  readonly seq: number;
  /** Live documents, and tokens of class C per live document. */
  readonly live: number;
  readonly averageLength: number;
  readonly fields: readonly NumberedField[];
  readonly languages: readonly string[];
  /** Languages that live documents are in, as bits. */
  readonly liveLanguages: number;
  readonly crawlers: readonly number[];
  /** Type of every field that a live document has. */
  readonly types: ReadonlyMap<string, FieldType>;
};

/** One generation of an engine, whole: what a search sees. Immutable. */
export type Snapshot = SnapshotFacts & {
  readonly segments: readonly SegmentView[];
  readonly fieldNumbers: ReadonlyMap<string, number>;
  /** Splits compounds. Known to the host only, which adds their parts to a plan before it goes to a thread. */
  readonly vocabulary: Vocabulary;
};

export function snapshotOf(
  facts: SnapshotFacts,
  segments: readonly SegmentView[],
  vocabulary: Vocabulary = EMPTY_VOCABULARY,
): Snapshot {
  const fieldNumbers = new Map(facts.fields.map(({ name }, number) => [name, number]));
  return { ...facts, segments, fieldNumbers, vocabulary };
}

/** An engine nobody has written to. */
export function emptySnapshot(engineId: number): Snapshot {
  const nothing = { generation: 0, seq: 0, live: 0, averageLength: 0, liveLanguages: 0 };
  return snapshotOf({ engineId, ...nothing, fields: [], languages: [''], crawlers: [], types: new Map() }, []);
}

/** Whether a field is the document's own (`Id`, `_type`) and has no column in the file. */
export function isOwnField(field: string): field is OwnField {
  return field === 'Id' || field === '_type';
}

/** Columns of a field by name, undefined when the segment has no document with it. Its extent must be attached. */
export function columnsOf(snapshot: Snapshot, { segment }: SegmentView, field: string): FieldColumns | undefined {
  if (isOwnField(field)) {
    const none = { numbers: undefined, dates: undefined, points: undefined };
    return { keyword: segment.ownField(field), ...none, unparsedNumber: undefined, unparsedDate: undefined };
  }
  const number = snapshot.fieldNumbers.get(field);
  return number === undefined ? undefined : segment.field(number);
}

/** Text of a value, long ones from the store; a key without a text when the store no longer has it. */
export function valueText(
  snapshot: Snapshot,
  { segment }: SegmentView,
  at: { readonly field: string; readonly columns: FieldColumns; readonly ordinal: number },
): string {
  const number = snapshot.fieldNumbers.get(at.field);
  const long = number === undefined || isOwnField(at.field) ? undefined : segment.textsOf(number)?.get(at.ordinal);
  return long ?? at.columns.keyword.values.at(at.ordinal);
}

/** All value texts of a field in order of their ordinals, with stop points. O(distinct values + bytes). */
export function* valueTexts(
  snapshot: Snapshot,
  { segment }: SegmentView,
  at: { readonly field: string; readonly columns: FieldColumns },
): Generator<string> {
  const number = snapshot.fieldNumbers.get(at.field);
  const long = number === undefined || isOwnField(at.field) ? undefined : segment.textsOf(number);
  let ordinal = 0;
  let chars = 0;
  for (const key of at.columns.keyword.values) {
    const text = long?.get(ordinal++) ?? key;
    yield text;
    chars += CHARS_PER_TEXT + text.length;
    if (chars < CHARS_BETWEEN_STOPS) continue;
    checkStop();
    chars = 0;
  }
}

/** Type of a field (contract 1.10); the suffix decides also for a field that no document has. */
export function typeOf(snapshot: Snapshot, field: string): FieldType {
  if (isOwnField(field)) return 'text';
  return snapshot.types.get(field) ?? typeBySuffix(field) ?? 'text';
}

/** What a snapshot knows of the words of its live documents. */
export function wordKnowledgeOf({ languages, liveLanguages, vocabulary, segments }: Snapshot): WordKnowledge {
  return {
    languages: languages.filter((_code, number) => ((liveLanguages >>> number) & 1) === 1),
    vocabulary,
    hasSecondaryText: segments.some(({ segment }) => segment.hasSecondaryText),
    hasLinkTexts: segments.some(({ segment }) => segment.hasLinkTexts),
  };
}
