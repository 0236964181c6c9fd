import { createHash } from 'node:crypto';
import { firstValue, type StoredDocument, textBehindContent } from '../../core/document.ts';
import { parseDate, parseGeoPoint, parseNumber, typeBySuffix } from '../../core/field-values.ts';
import { linkCount } from '../../core/link-texts.ts';
import { analyzeText, type Token } from '../../text/analyzer.ts';
import type { Vocabulary } from '../../text/compounds.ts';
import { foldWord } from '../../text/folding.ts';
import { linkTextTerm, secondaryTerm } from '../../text/term-keys.ts';
import { titleName } from '../../text/title-name.ts';
import { namesOf } from '../document-names.ts';
import { judgedLength, lengthCode, lengthOfCode, type TextClass, textClassOfValue, tfByte } from '../relevance.ts';
import { completionFields } from './completion-fields.ts';
import type { Json } from './connection.ts';
import { encodeName, MAX_ORDER_CHARS, MAX_VALUE_BYTES, OF_FIELD, PART, STACKED, UNSEARCHED } from './index-layout.ts';

/** Marks of a document in `beside`: it has words beside its main text, or links with a text lead to it. */
export const BESIDE = { secondary: 'secondary', links: 'links' } as const;
/** A written form counts up to this often for one document. */
const MAX_WRITTEN = 3;

/** What is gathered while the values of a document are read. */
type Gathered = {
  readonly counts: Map<string, Record<TextClass, number>>;
  readonly placed: Record<'a' | 'b' | 'c', string[]>;
  readonly named: string[];
  readonly surfaces: Set<string>;
  readonly titled: Set<string>;
  readonly body: Set<string>;
  readonly namedSurfaces: Set<string>;
  readonly written: Map<string, number>;
  tokens: number;
};

/** A document as the index holds it (`index-layout`). O(characters of the document). */
export function indexRow(document: StoredDocument, vocabulary: Vocabulary): Json {
  const gathered: Gathered = {
    counts: new Map(),
    placed: { a: [], b: [], c: [] },
    named: [],
    surfaces: new Set(),
    titled: new Set(),
    body: new Set(),
    namedSurfaces: new Set(),
    written: new Map(),
    tokens: 0,
  };
  const behind = textBehindContent(document);
  const searched = [...document.fields, ...(behind === '' ? [] : [['Content', [behind]] as const])];
  for (const [field, values] of searched) {
    for (const value of values) gatherValue(gathered, { field, value, document, vocabulary });
  }
  const beside = gatherBareTerms(gathered, document);
  const { counts, placed, named, tokens } = gathered;
  return {
    rid: document.rid,
    crawler: document.crawlerId,
    id: document.id,
    language: document.language,
    terms: [...counts].map(termWithCount).join(' '),
    ...placed,
    named,
    titleName: titleNameOf(document),
    surfaces: [...gathered.surfaces],
    titled: [...gathered.titled],
    body: [...gathered.body],
    namedSurfaces: [...gathered.namedSurfaces],
    written: [...gathered.written].flatMap(([form, times]) =>
      Array.from({ length: Math.min(times, MAX_WRITTEN) }, (_, time) => `${form}${PART}${time}`),
    ),
    length: lengthOfCode(lengthCode(judgedLength(tokens, document.structure?.pageKind))),
    tokens,
    beside,
    ...completionFields(document),
    ...valueFields(document),
  };
}

type ValueOf = {
  readonly field: string;
  readonly value: string;
  readonly document: StoredDocument;
  readonly vocabulary: Vocabulary;
};

function gatherValue(gathered: Gathered, { field, value, document, vocabulary }: ValueOf): void {
  const textClass = textClassOfValue(field, value);
  const { tokens, bigrams, parts, positions } = analyzeText(value, document.language, vocabulary);
  const terms = [...tokens, ...bigrams, ...(textClass === 'none' ? [] : parts)];
  for (const { stem } of terms) count(gathered, textClass === 'none' ? UNSEARCHED + stem : stem, textClass);
  const ofField = encodeName(field) + OF_FIELD;
  const span = Math.max(positions, ...bigrams.map(({ position }) => position + 1));
  if (textClass !== 'none') gathered.placed[textClass].push(placedText(terms, span, ''));
  if (textClass === 'c') gathered.tokens += positions;
  else gathered.named.push(placedText(terms, span, ofField));
  for (const { surface } of tokens) gatherSurface(gathered, surface, { field, textClass });
}

function gatherSurface(
  gathered: Gathered,
  surface: string,
  { field, textClass }: { readonly field: string; readonly textClass: TextClass },
): void {
  const folded = foldWord(surface);
  // Patterns of these two look at searched values only.
  const hasPatterns = textClass !== 'none' || (field !== 'Title' && field !== 'Content');
  if (textClass === 'c') gathered.body.add(OF_FIELD + folded);
  else if (hasPatterns) gathered.namedSurfaces.add(encodeName(field) + OF_FIELD + folded);
  if (textClass === 'none') return;
  gathered.surfaces.add(OF_FIELD + folded);
  if (textClass === 'a') gathered.titled.add(folded);
  if (folded === surface) return;
  const form = folded + PART + surface;
  gathered.written.set(form, (gathered.written.get(form) ?? 0) + 1);
}

function count({ counts }: Gathered, term: string, textClass: TextClass): void {
  const known = counts.get(term) ?? { a: 0, b: 0, c: 0, none: 0 };
  known[textClass]++;
  counts.set(term, known);
}

function termWithCount([term, { a, b, c, none }]: readonly [string, Record<TextClass, number>]): string {
  const tf = a + b + c > 0 ? tfByte(a, b, c) : tfByte(0, 0, none);
  return `${term}${STACKED}${tf}`;
}

/** Terms at their positions: those of one position stacked, a filler where there is none. */
function placedText(terms: readonly Token[], span: number, prefix: string): string {
  const places: Set<string>[] = Array.from({ length: span }, () => new Set());
  for (const { stem, position } of terms) places[position]?.add(prefix + stem);
  return places.map((own) => (own.size === 0 ? UNSEARCHED : [...own].join(STACKED))).join(' ');
}

/** Terms that have counts and no place: words beside the main text, those of link texts, names. */
function gatherBareTerms(gathered: Gathered, document: StoredDocument): readonly string[] {
  const stemsOf = (text: string) => analyzeText(text, document.language).tokens.map(({ stem }) => stem);
  const secondary = stemsOf(document.structure?.surroundings ?? '');
  for (const stem of secondary) count(gathered, secondaryTerm(stem), 'c');
  let links = 0;
  for (const { text, pages } of document.linkTexts ?? []) {
    for (const stem of stemsOf(text)) {
      for (let time = 0; time < linkCount(pages); time++) count(gathered, linkTextTerm(stem), 'b');
      links++;
    }
  }
  for (const { term, textClass } of namesOf(document)) count(gathered, term, textClass);
  return [...(secondary.length > 0 ? [BESIDE.secondary] : []), ...(links > 0 ? [BESIDE.links] : [])];
}

/** Where the name is in the first title that has a word. */
function titleNameOf(document: StoredDocument): Json | null {
  const titles = document.fields.get('Title') ?? [firstValue(document.fields, 'Title')];
  const title = titles.find((value) => analyzeText(value, document.language).positions > 0);
  return (title !== undefined && titleName(title)) || null;
}

/** Values for filters, facets and sorts, by encoded names. */
function valueFields(document: StoredDocument): Json {
  const value: Record<string, readonly string[]> = {};
  const order: Record<string, readonly string[]> = {};
  const numbers: Record<string, readonly number[]> = {};
  const dates: Record<string, readonly number[]> = {};
  const points: Record<string, readonly string[]> = {};
  const names = { has: [] as string[], filled: [] as string[], notNumber: [] as string[], notDate: [] as string[] };
  const fields = new Map(document.fields);
  fields.set('Id', [document.id]);
  fields.set('_type', [document.kind]);
  for (const [field, values] of fields) {
    if (values.length === 0) continue;
    const name = encodeName(field);
    value[name] = [...new Set(values.map(exactValue))];
    order[name] = [...new Set(values.map(orderKey))];
    const asNumbers = values.map(parseNumber);
    const asDates = values.map((text) => parseDate(text)?.from);
    keep(
      numbers,
      name,
      asNumbers.filter((number) => !Number.isNaN(number)),
    );
    keep(
      dates,
      name,
      asDates.filter((instant) => instant !== undefined),
    );
    if (typeBySuffix(field) === 'geo') keep(points, name, values.flatMap(pointOf));
    if (document.fields.has(field)) names.has.push(field);
    if (values.some((text) => text !== '')) names.filled.push(field);
    if (asNumbers.some(Number.isNaN)) names.notNumber.push(field);
    if (asDates.includes(undefined)) names.notDate.push(field);
  }
  return { value, order, number: numbers, date: dates, point: points, ...names };
}

function keep<T>(into: Record<string, readonly T[]>, name: string, values: readonly T[]): void {
  if (values.length > 0) into[name] = values;
}

function pointOf(text: string): readonly string[] {
  const point = parseGeoPoint(text);
  return point === undefined ? [] : [`${point.latitude},${point.longitude}`];
}

/** A value as it is compared: long ones by their hash, which no facet shows. */
export function exactValue(text: string): string {
  if (Buffer.byteLength(text) <= MAX_VALUE_BYTES) return text;
  return LONG_VALUE + createHash('sha256').update(text).digest('base64');
}

/** Before the hash of a long value. */
export const LONG_VALUE = `${STACKED}sha256:`;

/** Texts are ordered without regard to case. */
function orderKey(text: string): string {
  return text.slice(0, MAX_ORDER_CHARS).toLowerCase();
}
