import type { SynonymTable } from '../../search/synonyms.ts';
import { stemWord } from '../../text/stemming.ts';
import { coveredShare, hasSameStem, type SourceText } from './check.ts';
import { type ReadText, type ReadWord, readText } from './read-text.ts';

/** Which words and phrases of a language stand for each other: synonyms, irregular forms, ways to say the same. */
export type Equivalents = readonly SynonymTable[];

/** Sentences that a claim is restated for: alone, and with those that follow. */
const WINDOW_SENTENCES = [1, 3] as const;
/** Restatements that are checked, those that cover most of the claim first. */
const MAX_RESTATEMENTS = 4;
/** Words of weight that stay as they are: a claim of which nothing is left could be restated for any source. */
const MIN_LEFT = 2;
/** Words of the longest phrase that another one stands for. */
const MAX_PHRASE_WORDS = 6;

/** A phrase of the claim, `[at, end)` of its words, and what may be said instead: stems in a row. */
type Phrase = { readonly at: number; readonly end: number; readonly others: readonly (readonly string[])[] };

/**
 * A claim in the words of a source: where a sentence of the source has a phrase that stands for one of the claim, the
 * claim with the words of the source. All checks of words then compare like with like, the stricter the closer the
 * claim has come to the sentence. Best covered first, at most four. Phrases of the claim × words of the source.
 */
export function restateClaim(claim: ReadText, source: SourceText, equivalents: Equivalents): readonly ReadText[] {
  const phrases = phrasesOf(claim, source, equivalents);
  const own = claim.words.filter(({ weight }) => weight === 1).map(({ stem }) => stem);
  if (phrases.length === 0) return [];
  const sentences = source.sentences.map(({ read }) => read);
  const texts = new Map<string, number>();
  for (const count of WINDOW_SENTENCES) {
    for (const start of sentences.keys()) {
      const window = sentences.slice(start, start + count);
      if (!window.some(({ stems }) => own.some((stem) => stems.has(stem)))) continue;
      const text = restated(claim, phrases, window);
      if (text === claim.text || texts.has(text)) continue;
      texts.set(text, coverageOf(readText(text, source.language), [...window, source.headings]));
    }
  }
  return [...texts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_RESTATEMENTS)
    .map(([text]) => readText(text, source.language));
}

/** Of a claim, which is compared with many sources. */
const knownPhrases = new WeakMap<ReadText, readonly Phrase[]>();

/** Phrases of which the source has not all words anyway. */
function phrasesOf(claim: ReadText, source: SourceText, equivalents: Equivalents): readonly Phrase[] {
  const all = knownPhrases.get(claim) ?? allPhrasesOf(claim, source.language, equivalents);
  knownPhrases.set(claim, all);
  const isKnown = ({ stem, weight }: ReadWord) => weight > 0 && source.sentencesByStem.has(stem);
  return all.filter(({ at, end }) => !claim.words.slice(at, end).every(isKnown));
}

function allPhrasesOf(claim: ReadText, language: string, equivalents: Equivalents): readonly Phrase[] {
  const words = claim.words.map(({ word }) => word);
  const phrases: Phrase[] = [];
  for (const at of words.keys()) {
    for (let end = Math.min(words.length, at + MAX_PHRASE_WORDS); end > at; end--) {
      const isWhole = claim.words
        .slice(at, end)
        .every((word) => word.clause === claim.words[at]?.clause && !word.negation && !word.isParaphrase);
      const others = isWhole ? othersOf(words.slice(at, end), equivalents) : [];
      if (others.length > 0) phrases.push({ at, end, others: others.map((other) => stemsOf(other, language)) });
    }
  }
  return phrases;
}

/** What stands for all the words, or for them with another form of the first one: sent back, send back. */
function othersOf(words: readonly string[], equivalents: Equivalents): readonly (readonly string[])[] {
  const direct = entriesFor(words, equivalents);
  const [first = '', ...more] = words;
  const forms = entriesFor([first], equivalents).filter((form) => form.length === 1);
  return [...direct, ...forms.flatMap((form) => (more.length > 0 ? entriesFor([...form, ...more], equivalents) : []))];
}

function entriesFor(words: readonly string[], equivalents: Equivalents): readonly (readonly string[])[] {
  return equivalents.flatMap((table) => {
    const found = table.findAt(words, 0);
    return found?.length === words.length ? found.others.map((other) => other.words) : [];
  });
}

function stemsOf(words: readonly string[], language: string): readonly string[] {
  return words.map((word) => stemWord(word, language));
}

/** The text of the claim with each phrase that the window says otherwise in the words of the window. */
function restated(claim: ReadText, phrases: readonly Phrase[], window: readonly ReadText[]): string {
  let text = '';
  let from = 0;
  let end = 0;
  let restatedWords = 0;
  for (const phrase of phrases) {
    const own = claim.words.slice(phrase.at, phrase.end);
    if (phrase.at < end || stands(own, window)) continue;
    const said = firstOf(phrase.others, (other) => saidIn(window, other));
    if (said === undefined || isContrary(own, said.words)) continue;
    text += `${claim.text.slice(from, own[0]?.start)}${said.text}`;
    from = own.at(-1)?.end ?? from;
    end = phrase.end;
    restatedWords += own.filter(({ weight }) => weight === 1).length;
  }
  const left = claim.words.filter(({ weight }) => weight === 1).length - restatedWords;
  return left < MIN_LEFT && restatedWords > 0 ? claim.text : text + claim.text.slice(from);
}

function stands(words: readonly ReadWord[], window: readonly ReadText[]): boolean {
  const [word, ...more] = words;
  if (word !== undefined && more.length === 0) return window.some(({ stems }) => hasSameStem(stems, word.stem));
  return (
    saidIn(
      window,
      words.map(({ stem }) => stem),
    ) !== undefined
  );
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Said = { readonly text: string; readonly words: readonly ReadWord[] };

/** A row of stems as a sentence writes it. */
function saidIn(window: readonly ReadText[], stems: readonly string[]): Said | undefined {
  for (const { text, words } of window) {
    const at = words.findIndex((_, start) => stems.every((stem, i) => words[start + i]?.stem === stem));
    if (at < 0) continue;
    const said = words.slice(at, at + stems.length);
    if (said.some(({ isParaphrase }) => isParaphrase)) continue;
    return { text: text.slice(said[0]?.start, said.at(-1)?.end), words: said };
  }
  return undefined;
}

/** Words of which only one can be true are no synonyms, whatever a thesaurus says of other meanings of them. */
function isContrary(own: readonly ReadWord[], said: readonly ReadWord[]): boolean {
  return own.some(({ exclusive }) =>
    exclusive.some(({ group, member }) =>
      said.some((word) => word.exclusive.some((other) => other.group === group && other.member !== member)),
    ),
  );
}

function coverageOf(claim: ReadText, texts: readonly ReadText[]): number {
  const covered = claim.stems.values().filter((stem) => texts.some(({ stems }) => hasSameStem(stems, stem)));
  return coveredShare(claim.words, new Set(covered));
}
