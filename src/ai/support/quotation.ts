import type { Check } from './check.ts';
import type { NegationKind } from './negation-words.ts';
import { areSameNumber } from './numbers.ts';
import type { ReadText } from './read-text.ts';
import { repetitionOf } from './repetition.ts';
import { hasSameStem } from './same-stem.ts';

/** Of a sentence that the claim repeats, of the claim that repeats it, and of a whole repetition. */
const QUOTED = 0.6;
const QUOTING = 0.75;
const WHOLE = 0.85;
/** Of the claim, word for word: what differs has been looked at. */
const WHOLE_CLAIM = 0.85;
/** A shorter sentence may be quoted by chance: its negations may be repeated, and need not. */
const MIN_STEMS = 3;

/** A claim that repeats sentences nearly word for word has their numbers, as often, as many negations, and no word turned around. */
export const quotationCheck: Check = ({ claim, window }) => {
  const sentences = window.sentences.map(({ read }) => read);
  const { holds, share } = repetitionOf(claim, window);
  if (!holds || share >= WHOLE_CLAIM) return holds;
  const quoted = sentences.filter(
    ({ stems }) => stems.size > 0 && sharedCount(stems, claim.stems) / stems.size >= QUOTED,
  );
  const surely = quoted.filter((sentence) => sentence.stems.size >= MIN_STEMS);
  const stems = new Set(surely.flatMap((sentence) => [...sentence.stems]));
  if (stems.size === 0 || sharedCount(claim.stems, stems) / claim.stems.size < QUOTING) return true;
  if (!numbersAreTheirs(claim, [...quoted, window.source.headings])) return false;
  const isWhole = sharedCount(stems, claim.stems) / stems.size >= WHOLE;
  return !isWhole || deniesAsOften(claim, { quoted, surely });
};

/** Words that deny in another way may stand for negations on either side. */
function deniesAsOften(
  claim: ReadText,
  { quoted, surely }: { readonly quoted: readonly ReadText[]; readonly surely: readonly ReadText[] },
): boolean {
  const mine = countOf([claim], 'negation');
  const least = countOf(surely, 'negation') - countOf([claim], 'soft');
  const most = countOf(quoted, 'negation') + countOf(quoted, 'soft');
  return mine >= least && mine <= most;
}

function countOf(texts: readonly ReadText[], kind: NegationKind): number {
  return texts.reduce((sum, { words }) => sum + words.filter(({ negation }) => negation === kind).length, 0);
}

function sharedCount(stems: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return stems.values().reduce((count, stem) => count + (hasSameStem(others, stem) ? 1 : 0), 0);
}

function numbersAreTheirs(claim: ReadText, texts: readonly ReadText[]): boolean {
  const left = texts.flatMap(({ words }) => words.filter(({ numbers }) => numbers.length > 0));
  return claim.words.every((word) => {
    if (word.numbers.length === 0) return true;
    const at = left.findIndex((other) => areSameNumber(other, word));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
