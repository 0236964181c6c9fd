import type { Check } from './check.ts';
import type { ReadText, ReadWord } from './read-text.ts';
import { haveSameStem } from './same-stem.ts';

/** Words with weight that a negation turns around: so many behind it, and before it in its clause. */
const BEHIND = 3;
const BEFORE = 2;
/** Of what a negation of the source governs: a claim that repeats so much repeats the statement. */
const REPEATED = 0.66;

type Scope = {
  readonly kind: 'negation' | 'soft';
  readonly behind: readonly string[];
  readonly before: readonly string[];
};

/** What the claim denies, the window denies; what a bearing sentence denies and the claim repeats, the claim denies. */
export const polarityCheck: Check = ({ claim, window, spans }) => {
  const mine = scopesOf(claim.words);
  const theirs = window.sentences.flatMap(({ read }) => scopesOf(read.words));
  const added = mine
    .filter(({ kind }) => kind === 'negation')
    .some((scope) => !theirs.some((other) => doMeet(scope, other)));
  if (added) return false;
  const bearing = new Set(spans.flatMap(({ sentences }) => sentences.slice(0, 1)));
  return bearing.values().every((sentence) => isRepeated(sentence, claim, mine));
};

function isRepeated(sentence: ReadText, claim: ReadText, mine: readonly Scope[]): boolean {
  return scopesOf(sentence.words)
    .filter(({ kind }) => kind === 'negation')
    .every((scope) => {
      const governed = scope.behind.length > 0 ? scope.behind : scope.before;
      const repeated = governed.filter((stem) => claim.stems.values().some((other) => haveSameStem(stem, other)));
      if (governed.length === 0 || repeated.length / governed.length < REPEATED) return true;
      return mine.some((other) => doMeet(scope, other));
    });
}

function doMeet(a: Scope, b: Scope): boolean {
  const own = a.behind.length > 0 ? a.behind : a.before;
  const other = [...b.behind, ...b.before];
  if (own.length === 0 || other.length === 0) return true;
  return own.some((stem) => other.some((there) => haveSameStem(stem, there)));
}

/** Negations that follow each other directly, as `ne … pas` and `not without` never are counted, share a scope. */
export function scopesOf(words: readonly ReadWord[]): readonly Scope[] {
  return words.flatMap((word, i) => {
    if (word.negation === undefined) return [];
    const behind = words.slice(i + 1).filter(({ weight, clause }) => weight > 0 && clause === word.clause);
    const before = words.slice(0, i).filter(({ weight, clause }) => weight > 0 && clause === word.clause);
    return [
      {
        kind: word.negation,
        behind: behind.slice(0, BEHIND).map(({ stem }) => stem),
        before: before.slice(-BEFORE).map(({ stem }) => stem),
      },
    ];
  });
}
