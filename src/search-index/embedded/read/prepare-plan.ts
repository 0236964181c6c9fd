import { join } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import { type FieldType, typeBySuffix } from '../../../core/field-values.ts';
import type { FilterNode } from '../../../core/filters.ts';
import type { Vocabulary } from '../../../text/compounds.ts';
import type { FacetRequest, MatchNode, QueryPlan } from '../../query-plan.ts';
import { textClassOf } from '../../relevance.ts';
import { queryWords, usesReranking } from '../../rerank.ts';
import { hasBit } from '../bytes/bitset.ts';
import type { FieldCounts } from '../columns/field-writer.ts';
import type { NumberedField } from '../field-numbers.ts';
import { type Manifest, type ManifestSegment, tombstonesFile } from '../manifest.ts';
import { type FieldColumns, POSITIONS_EXTENT } from '../segment/segment.ts';
import { readTombstones } from '../segment/tombstones.ts';
import { type ReadDocuments, readLongValues, shareTexts } from './long-values.ts';
import { type OpenSegment, openSegment } from './open-files.ts';
import type { Residency } from './residency.ts';
import { isOwnField, type SegmentView, type Snapshot, snapshotOf } from './snapshot.ts';

type PrepareDeps = {
  readonly held: readonly OpenSegmentView[];
  readonly read: ReadDocuments | undefined;
  readonly residency: Residency;
  /** When a search has last read an extent: field numbers and positions. */
  readonly used: (extent: number) => void;
};

/**
 * Attaches what a plan reads to the segments of a snapshot. `read` undefined = long values are known by their
 * fingerprint.
 */
export async function preparePlan(
  snapshot: Snapshot,
  required: RequiredColumns,
  { held, read, residency, used }: PrepareDeps,
): Promise<void> {
  const fields = numbersOf(snapshot, required.fields);
  const texts = read === undefined ? [] : numbersOf(snapshot, required.texts);
  for (const field of fields) used(field);
  if (required.positions) used(POSITIONS_EXTENT);
  for (const view of snapshot.segments) {
    const { segment } = view;
    const extents = fields.filter((field) => segment.fieldCounts.has(field));
    if (required.positions) extents.push(POSITIONS_EXTENT);
    // Nothing is awaited for what is attached: most searches find everything there.
    const missing = extents.filter((extent) => !segment.hasExtent(extent));
    for (const extent of missing) {
      const range = segment.extentRange(extent);
      using _room = residency.reserve(range === undefined ? 0 : range.to - range.from);
      await openOf(held, view).load(extent);
    }
    const unread = texts.filter((field) => hasLongValues(view, field) && segment.textsOf(field) === undefined);
    for (const field of unread) await attachTexts(snapshot, view, field, read!);
  }
}

/** Field numbers of the names that the engine has columns of. */
function numbersOf(snapshot: Snapshot, names: ReadonlySet<string>): number[] {
  const columns = [...names].filter((name) => !isOwnField(name));
  return columns.map((name) => snapshot.fieldNumbers.get(name)).filter((field) => field !== undefined);
}

function hasLongValues({ segment }: SegmentView, field: number): boolean {
  return (segment.fieldCounts.get(field)?.longValues ?? 0) > 0;
}

async function attachTexts(snapshot: Snapshot, view: SegmentView, field: number, read: ReadDocuments): Promise<void> {
  const texts = await readLongValues(view, { ...snapshot.fields[field]!, number: field }, read);
  view.segment.attachTexts(field, shareTexts(texts));
}

/** A segment of the newest snapshot with its open file. */
export type OpenSegmentView = {
  readonly view: SegmentView;
  readonly open: OpenSegment;
  readonly tombstones: number | null;
};

/** Opens what a manifest names; segments and live bits that did not change are taken over from `present`. */
export async function openViews(
  directory: string,
  manifest: Manifest,
  present: readonly OpenSegmentView[],
): Promise<OpenSegmentView[]> {
  const views: OpenSegmentView[] = [];
  try {
    for (const entry of manifest.segments) views.push(await openView(directory, entry, present));
    return views;
  } catch (error) {
    closeUnused(views, present);
    throw error;
  }
}

/** Closes the files of `before` that `after` does not use, each once nothing is being read from it. */
export function closeUnused(before: readonly OpenSegmentView[], after: readonly OpenSegmentView[]): void {
  const used = new Set(after.map(({ open }) => open));
  for (const { open } of before) if (!used.has(open)) void open.close();
}

/** `used` is told of each field whose columns are read. */
export async function openSnapshot(
  engine: {
    readonly engineId: number;
    readonly vocabulary: Vocabulary;
    readonly used: (field: number) => void;
  },
  manifest: Manifest,
  held: readonly OpenSegmentView[],
): Promise<Snapshot> {
  const { engineId, vocabulary, used } = engine;
  const views = held.map(({ view }) => view);
  const types = await typeFields(manifest.fields, views, (view, field) => {
    used(field);
    return openOf(held, view).load(field);
  });
  const { generation, seq, live, bodyTokens, fields, languages, crawlers } = manifest;
  const averageLength = live === 0 ? 0 : bodyTokens / live;
  const liveLanguages = views.reduce((mask, view) => mask | liveLanguagesOf(view), 0);
  const facts = { engineId, generation, seq, live, averageLength, fields, languages, liveLanguages, crawlers, types };
  return snapshotOf(facts, views, vocabulary);
}

/** The open segment of a view. @throws AppError `internal` when its generation has been replaced */
export function openOf(held: readonly OpenSegmentView[], { segment }: SegmentView): OpenSegment {
  const found = held.find(({ open }) => open.segment === segment);
  if (found === undefined) throw new AppError('internal', 'The generation of this index has been replaced');
  return found.open;
}

async function openView(
  directory: string,
  entry: ManifestSegment,
  present: readonly OpenSegmentView[],
): Promise<OpenSegmentView> {
  const { n, uid, documents, live: liveCount, tombstones } = entry;
  const known = present.find(({ view }) => view.segment.uid === uid);
  if (known !== undefined && known.tombstones === tombstones) return known;
  const live =
    tombstones === null
      ? undefined
      : await readTombstones(join(directory, tombstonesFile(n, tombstones)), uid, documents);
  const open = known?.open ?? (await openSegment(directory, entry));
  return { view: { segment: open.segment, live, liveCount }, open, tombstones };
}

function liveLanguagesOf({ segment, live }: SegmentView): number {
  if (live === undefined) return segment.languageMask;
  let mask = 0;
  for (let d = 0; d < segment.documents && mask !== segment.languageMask; d++) {
    if (hasBit(live, d)) mask |= 1 << segment.languages[d]!;
  }
  return mask;
}

/** Attaches a field's columns of a segment. */
export type LoadField = (view: SegmentView, field: number) => Promise<void>;

/**
 * Types of the fields that live documents have (contract 1.10): suffix, else number when every live value is one, else
 * date, else text. Reads counts only; columns of a segment just where its tombstones leave a doubt.
 */
async function typeFields(
  fields: readonly NumberedField[],
  views: readonly SegmentView[],
  load: LoadField,
): Promise<Map<string, FieldType>> {
  const types = new Map<string, FieldType>();
  for (const [number, { name }] of fields.entries()) {
    const type = await typeOfField(name, number, views, load);
    if (type !== undefined) types.set(name, type);
  }
  return types;
}

/** Live documents with a field. O(1) per segment without tombstones, else O(documents). */
export async function countLive(field: number, views: readonly SegmentView[], load: LoadField): Promise<number> {
  let count = 0;
  for (const view of views) {
    const counts = view.segment.fieldCounts.get(field);
    if (counts === undefined) continue;
    if (view.live === undefined) count += counts.documents;
    else {
      await load(view, field);
      const { sets } = view.segment.field(field)!.keyword;
      for (let d = 0; d < sets.length; d++) if (sets[d] !== 0 && hasBit(view.live, d)) count++;
    }
  }
  return count;
}

/** Undefined when no live document has the field. */
async function typeOfField(
  name: string,
  field: number,
  views: readonly SegmentView[],
  load: LoadField,
): Promise<FieldType | undefined> {
  const inUse = await anyView(views, field, load, {
    atLeast: ({ documents }) => documents,
    holds: (_, d, sets) => sets[d] !== 0,
  });
  if (!inUse) return undefined;
  const bySuffix = typeBySuffix(name);
  if (bySuffix !== undefined) return bySuffix;
  const noNumber = await anyView(views, field, load, {
    atLeast: ({ unparsedNumber }) => unparsedNumber,
    holds: ({ numbers, unparsedNumber }, d, sets) =>
      numbers === undefined ? sets[d] !== 0 : unparsedNumber !== undefined && hasBit(unparsedNumber, d),
  });
  if (!noNumber) return 'number';
  const noDate = await anyView(views, field, load, {
    atLeast: ({ unparsedDate }) => unparsedDate,
    holds: ({ dates, unparsedDate }, d, sets) =>
      dates === undefined ? sets[d] !== 0 : unparsedDate !== undefined && hasBit(unparsedDate, d),
  });
  return noDate ? 'text' : 'date';
}

type Question = {
  /** How many documents of the segment have the property, dead ones included. */
  readonly atLeast: (counts: FieldCounts) => number;
  readonly holds: (columns: FieldColumns, document: number, sets: FieldColumns['keyword']['sets']) => boolean;
};

/** Whether a live document of any segment has a property. */
async function anyView(
  views: readonly SegmentView[],
  field: number,
  load: LoadField,
  { atLeast, holds }: Question,
): Promise<boolean> {
  for (const view of views) {
    const counts = view.segment.fieldCounts.get(field);
    const having = counts === undefined ? 0 : atLeast(counts);
    if (having === 0) continue;
    const { segment, live, liveCount } = view;
    if (live === undefined || having > segment.documents - liveCount) return true;
    await load(view, field);
    const columns = segment.field(field)!;
    const { sets } = columns.keyword;
    for (let d = 0; d < segment.documents; d++) if (hasBit(live, d) && holds(columns, d, sets)) return true;
  }
  return false;
}

/** What a plan reads beside the heads of the segments. */
export type RequiredColumns = {
  readonly fields: ReadonlySet<string>;
  /** Fields whose values are read as texts, long ones too. */
  readonly texts: ReadonlySet<string>;
  readonly positions: boolean;
};

export function requiredColumnsOf(plan: QueryPlan): RequiredColumns {
  const fields = new Set<string>();
  const texts = new Set<string>();
  for (const filter of [plan.filter, plan.postFilter]) addFilter(filter, fields, texts);
  for (const { field } of [...plan.boosts, ...plan.ranges]) fields.add(field);
  for (const { field } of [...plan.sort, ...plan.topHits]) texts.add(field);
  for (const facet of plan.facets) addFacet(facet, texts);
  addMatch(plan.match, fields, texts);
  for (const field of texts) fields.add(field);
  const rerankWeights = usesReranking(plan) && queryWords(plan.match, plan.match).length > 0;
  if (rerankWeights && plan.recency !== undefined) fields.add(plan.recency.field);
  return { fields, texts, positions: rerankWeights || readsPositions(plan.match) };
}

export function requiredColumnsOfFilter(filter: FilterNode): RequiredColumns {
  const fields = new Set<string>();
  const texts = new Set<string>();
  addFilter(filter, fields, texts);
  return { fields: fields.union(texts), texts, positions: false };
}

function addFilter(filter: FilterNode, fields: Set<string>, texts: Set<string>): void {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return;
    case 'and':
    case 'or':
      for (const part of filter.of) addFilter(part, fields, texts);
      return;
    case 'not':
      addFilter(filter.of, fields, texts);
      return;
    case 'text':
      texts.add(filter.field);
      return;
    case 'compare':
      (filter.operator === 'eq' || filter.operator === 'ne' ? fields : texts).add(filter.field);
      return;
    default:
      fields.add(filter.field);
  }
}

/** Filters of the tree, and fields whose values patterns look at; titles and body text have lists of their own. */
function addMatch(node: MatchNode, fields: Set<string>, texts: Set<string>): void {
  switch (node.kind) {
    case 'filter':
      addFilter(node.filter, fields, texts);
      return;
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
      if (node.field !== undefined && !['a', 'c'].includes(textClassOf(node.field))) texts.add(node.field);
      return;
    case 'some':
      for (const part of [...node.must, ...node.should]) addMatch(part, fields, texts);
      return;
    case 'and':
    case 'or':
    case 'not':
      for (const part of node.of) addMatch(part, fields, texts);
      return;
    default:
  }
}

function addFacet({ field, facets }: FacetRequest, texts: Set<string>): void {
  texts.add(field);
  for (const nested of facets) addFacet(nested, texts);
}

function readsPositions(node: MatchNode): boolean {
  switch (node.kind) {
    case 'all':
    case 'none':
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
    case 'filter':
      return false;
    case 'word':
      return node.field !== undefined || node.also.some(({ words }) => words.length > 1);
    case 'phrase':
      return true;
    case 'some':
      return node.must.some(readsPositions) || node.should.some(readsPositions);
    default:
      return node.of.some(readsPositions);
  }
}
