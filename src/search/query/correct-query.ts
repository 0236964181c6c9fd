import { maxEditsOf } from '../../search-index/relevance.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { foldWord } from '../../text/folding.ts';
import { neighbourPairs, splitWord } from '../word-alternatives.ts';
import {
  type PlainWord,
  plainWordsOf,
  type QueryReader,
  type ReadQuery,
  type Replacement,
  replaceWords,
  type TextSpan,
  wordNodes,
} from './read-query.ts';

export type CorrectionDeps = {
  readonly searchIndex: Pick<SearchIndex, 'hasMatch' | 'fuzzyTerms' | 'documentFrequencies' | 'surfaceFrequencies'>;
};

export type CorrectionInput = {
  readonly engineId: number;
  readonly query: ReadQuery;
  readonly read: QueryReader;
  readonly operator: 'AND' | 'OR';
  readonly signal: AbortSignal;
};

/** Contract 2.9 and search-engine design 14.2 (start values). */
const MAX_ABSENT_WORDS = 3;
const MAX_CANDIDATES = 5;
/** Near words that candidates are taken from: the nearest are not always the likeliest. */
const FUZZY_TERMS = 20;
const MAX_CHECKS = 12;
/** By edits; a word is rarely more than one away from what was meant. */
const EDIT_QUALITIES = [1, 0.6, 0.12] as const;
const OTHER_FIRST_LETTER = 0.6;
/**
 * For a letter too many or another one, of which there are more ways than to leave one out or swap two
 * (docs/relevance.md).
 */
const ANY_LETTER = 0.5;
/** Documents from which on a word within one edit is meant rather than two words, or two as one. */
const FREQUENT_DOCUMENTS = 5;

/** `quality` grows with the documents in which it is written, and falls with its distance. */
type Candidate = Replacement & { readonly quality: number };

/**
 * The query with its absent words replaced by near, split or joined words that documents have, so that documents
 * match; undefined when none do. For queries that match nothing, whatever the filters: words that any document has,
 * quoted and field words, patterns and words with digits stay. At most three words are replaced; at most twelve
 * combinations are tried, the likeliest first, and one whose words stand in one document wins; none is stop words only.
 * Contract: 2.9.
 */
export async function correctQuery(deps: CorrectionDeps, input: CorrectionInput): Promise<ReadQuery | undefined> {
  const { query } = input;
  const words = plainWordsOf(query);
  const absent = await absentWords(deps, input, words);
  if (absent.length === 0 || absent.length > MAX_ABSENT_WORDS) return undefined;
  const choices: (readonly Candidate[])[] = [];
  for (const word of absent) choices.push(await replacementsOf(deps, input, { word, words }));
  // Under OR a word that is like no other may stay.
  const found = input.operator === 'AND' ? choices : choices.filter((replacements) => replacements.length > 0);
  if (found.length === 0) return undefined;
  const texts = combinations(found).map((replacements) => replaceWords(query.text, replacements));
  const meant = [...new Set(texts)].filter((text) => holdsContent(input.read(text, 'AND')));
  return bestMatching(deps, input, meant.slice(0, MAX_CHECKS));
}

/** Most documents have stop words, and nobody looks for them alone. */
function holdsContent({ match }: ReadQuery): boolean {
  return wordNodes(match).some(({ role }) => role === 'content');
}

/** Words of content that no document has, also not through a synonym. */
async function absentWords(
  { searchIndex }: CorrectionDeps,
  { engineId, query }: CorrectionInput,
  words: readonly PlainWord[],
): Promise<readonly PlainWord[]> {
  const surfaces = [...new Set(words.map(({ surface }) => surface))];
  const nodes = wordNodes(query.match);
  const synonyms = new Map(nodes.map(({ text, also }) => [text, also.map((alternative) => alternative.words)]));
  const stopWords = new Set(nodes.flatMap(({ text, role }) => (role === 'stop' ? [text] : [])));
  const texts = [...new Set([...surfaces, ...[...synonyms.values()].flat(2)])];
  if (surfaces.length === 0) return [];
  const counts = await searchIndex.documentFrequencies(engineId, texts);
  const known = new Set(texts.filter((_, index) => (counts[index] ?? 0) > 0));
  const isFound = (surface: string) =>
    known.has(surface) || (synonyms.get(surface) ?? []).some((parts) => parts.every((part) => known.has(part)));
  return words.filter(({ surface }) => !stopWords.has(surface) && !isFound(surface));
}

type WordPosition = { readonly word: PlainWord; readonly words: readonly PlainWord[] };

/** The likeliest replacements of an absent word, best first. */
async function replacementsOf(
  deps: CorrectionDeps,
  { engineId, query, signal }: CorrectionInput,
  position: WordPosition,
): Promise<readonly Candidate[]> {
  const { candidates, isFrequent } = await fuzzyReplacements(deps, { engineId, signal }, position.word);
  const forms = isFrequent ? [] : composedForms(query.text, position);
  const isAlone = candidates.length === 0;
  const count = isAlone ? 'documentFrequencies' : 'surfaceFrequencies';
  const composed = await composedReplacements(deps, { engineId, count, signal }, forms);
  const kept = isAlone ? composed : composed.filter(({ isTogether }) => isTogether);
  return [...candidates, ...kept].toSorted((a, b) => b.quality - a.quality).slice(0, MAX_CANDIDATES);
}

/** Words near an absent one; `isFrequent` = one within one edit stands in so many documents that it is meant. */
type FuzzyReplacements = { readonly candidates: readonly Candidate[]; readonly isFrequent: boolean };

async function fuzzyReplacements(
  { searchIndex }: CorrectionDeps,
  { engineId, signal }: Pick<CorrectionInput, 'engineId' | 'signal'>,
  word: PlainWord,
): Promise<FuzzyReplacements> {
  const { start, end, surface } = word;
  const folded = foldWord(surface);
  const maxDistance = maxEditsOf(folded);
  if (maxDistance === 0) return { candidates: [], isFrequent: false };
  const options = { minDistance: 0, maxDistance, limit: FUZZY_TERMS } as const;
  const fuzzy = await searchIndex.fuzzyTerms(engineId, surface, options, signal);
  // With other accents it is the word that was meant, however rare (Turkish: kutuphane for kütüphane).
  const same = fuzzy.filter(({ display, distance }) => distance === 0 && display !== surface);
  const meant = same.length > 0 ? same : fuzzy.filter(({ distance }) => distance > 0);
  const candidates = meant.map(({ text, display, documents, distance }) => {
    const firstLetter = text.charAt(0) === folded.charAt(0) ? 1 : OTHER_FIRST_LETTER;
    const letter = text.length > folded.length || hasSameLetters(text, folded) ? 1 : ANY_LETTER;
    const quality = Math.log(1 + documents) * (EDIT_QUALITIES[distance] ?? 0) * firstLetter * letter;
    return { start, end, text: display, quality };
  });
  const isFrequent = meant.some(({ documents, distance }) => distance <= 1 && documents >= FREQUENT_DOCUMENTS);
  return { candidates, isFrequent };
}

function hasSameLetters(a: string, b: string): boolean {
  return [...a].sort().join('') === [...b].sort().join('');
}

/** A written form made of whole words that must all be known. */
type Composed = TextSpan & { readonly parts: readonly string[] };

/** The word as two, and as one with its left or right neighbour. */
function composedForms(text: string, { word, words }: WordPosition): readonly Composed[] {
  const { start, end, surface } = word;
  const joined = neighbourPairs(text, words).filter((pair) => pair.includes(word));
  return [
    ...splitWord(surface).map((parts) => ({ start, end, parts })),
    ...joined.map(([left, right]) => ({
      start: left.start,
      end: right.end,
      parts: [left.surface + right.surface],
    })),
  ];
}

/** Documents of parts by the forms they are written in, or by stems: Danish *foreningstilskud* has no *forenings*. */
type ComposedRules = Pick<CorrectionInput, 'engineId' | 'signal'> & {
  readonly count: 'surfaceFrequencies' | 'documentFrequencies';
};

/**
 * Forms whose words documents all have. One blank more or less counts as one edit where they stand side by side
 * (`isTogether`), as two where they do not: compounds and chance.
 */
async function composedReplacements(
  { searchIndex }: CorrectionDeps,
  { engineId, count, signal }: ComposedRules,
  forms: readonly Composed[],
): Promise<readonly (Candidate & { readonly isTogether: boolean })[]> {
  if (forms.length === 0) return [];
  const counts = await searchIndex[count](
    engineId,
    forms.flatMap(({ parts }) => parts),
  );
  let next = 0;
  const written = forms.map((form) => ({ ...form, documents: Math.min(...form.parts.map(() => counts[next++] ?? 0)) }));
  const candidates: (Candidate & { readonly isTogether: boolean })[] = [];
  for (const { start, end, parts, documents } of written.filter((form) => form.documents > 0)) {
    const phrase = { kind: 'phrase', words: parts, slop: 0, boost: 1 } as const;
    const isTogether = await searchIndex.hasMatch(engineId, phrase, signal);
    const quality = Math.log(1 + documents) * EDIT_QUALITIES[isTogether ? 1 : 2];
    candidates.push({ start, end, text: parts.join(' '), quality, isTogether });
  }
  return candidates;
}

/** One replacement per absent word, none over another, by the product of their qualities. */
function combinations(choices: readonly (readonly Candidate[])[]): readonly (readonly Candidate[])[] {
  let combined: readonly (readonly Candidate[])[] = [[]];
  for (const replacements of choices) {
    combined = combined.flatMap((chosen) =>
      replacements.flatMap((replacement) => {
        // Two absent words that are joined share their replacement.
        if (chosen.some((other) => isSame(other, replacement))) return [chosen];
        return chosen.some((other) => overlaps(other, replacement)) ? [] : [[...chosen, replacement]];
      }),
    );
  }
  const quality = (chosen: readonly Candidate[]) => chosen.reduce((product, part) => product * part.quality, 1);
  return combined.toSorted((a, b) => quality(b) - quality(a));
}

function isSame(a: Candidate, b: Candidate): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}

function overlaps(a: TextSpan, b: TextSpan): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The first text whose words stand in one document, else the first that matches at all. */
async function bestMatching(
  { searchIndex }: CorrectionDeps,
  { engineId, read, operator, signal }: CorrectionInput,
  texts: readonly string[],
): Promise<ReadQuery | undefined> {
  for (const text of texts) {
    if (await searchIndex.hasMatch(engineId, read(text, 'AND').match, signal)) return read(text, operator);
  }
  const [first] = texts;
  if (operator === 'AND' || first === undefined) return undefined;
  const likeliest = read(first, operator);
  return (await searchIndex.hasMatch(engineId, likeliest.match, signal)) ? likeliest : undefined;
}
