import { type AlignedSpan, type Check, type Comparison, haveSameStem } from './check.ts';
import type { ReadText, ReadWord } from './read-text.ts';

/** Languages that write every noun with a capital. */
export const CAPITALISES_NOUNS: ReadonlySet<string> = new Set(['de', 'lb']);
/** Share of a claim that the window has, from which an unknown noun is an exchanged one. */
const BESIDE_QUOTATION = 0.75;
/** Letters of a case or genitive ending. */
const ENDING_LETTERS = 4;
const NAME_LETTERS = 3;

/** Names of the claim stand in the source, and none stands where its sentence has another one. */
export const namesCheck: Check = (comparison) => {
  return CAPITALISES_NOUNS.has(comparison.language) ? nounsHold(comparison) : namesHold(comparison);
};

/** Where nouns look like names, one without a counterpart is allowed in free wording only. */
function nounsHold({ claim, window }: Comparison): boolean {
  const unknown = claim.words.filter((word) => word.isName && word.weight > 0 && !window.isCovered(word));
  return unknown.length === 0 || window.coverage < BESIDE_QUOTATION;
}

function namesHold({ claim, window, spans }: Comparison): boolean {
  const texts = [...window.source.sentences.map(({ read }) => read), window.source.headings];
  const names = claim.words.filter(({ isName }) => isName);
  if (!names.every((name) => texts.some((text) => hasName(text, name)))) return false;
  return spans.every((span) => !isExchanged(span, claim, window));
}

/** A name that no bearing sentence has, while each has one that the claim has not. */
function isExchanged({ words, sentences }: AlignedSpan, claim: ReadText, window: Comparison['window']): boolean {
  const { source } = window;
  const isStart = words[0] === claim.words[0];
  const mine = words.filter((word, i) => {
    const isName = word.isName || (isStart && i === 0 && isUnknownStart(word, window));
    return isName && !hasName(source.headings, word);
  });
  if (mine.length === 0) return false;
  return sentences.every((sentence) => {
    const hasExtra = mine.some((name) => !hasName(sentence, name));
    const names = sentence.words.filter((word) => word.isName || (word.isCapitalised && source.names.has(word.word)));
    return hasExtra && names.some((name) => !hasName(claim, name));
  });
}

/** The capital of a first word says nothing; when no text of the source has the word, it may be a name. */
function isUnknownStart(word: ReadWord, { isCovered }: Comparison['window']): boolean {
  return word.isCapitalised && word.weight === 1 && !isCovered(word);
}

function hasName({ words }: ReadText, name: ReadWord): boolean {
  return words.some(({ word, stem }) => word === name.word || stem === name.stem || isInflected(word, name.word));
}

/** Helsinki, Helsinkiin; Lyngsø, Lyngsøs. */
function isInflected(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < NAME_LETTERS || long.length - short.length > ENDING_LETTERS) return false;
  return long.startsWith(short) || (short.length > ENDING_LETTERS && haveSameStem(short, long));
}
