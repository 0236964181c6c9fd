import type { CompletionOptions } from '../../src/search-index/completions.ts';
import type { Random } from './random.ts';
import { VOCABULARY } from './random-documents.ts';

/** A typed text: some words, the last one cut, now and then with a slip of a finger. */
export function randomCompletion(random: Random): readonly [string, CompletionOptions] {
  const words = random.list(1, 3, () => slipped(random, random.pickSkewed(VOCABULARY)));
  const last = words.at(-1) ?? '';
  const text = [...words.slice(0, -1), last.slice(0, random.whole(1, last.length))].join(' ');
  const except = random.chance(0.3) ? random.list(0, 3, () => random.pickSkewed(VOCABULARY)) : [];
  return [text, { limit: random.pick([1, 5, 50]), except }];
}

function slipped(random: Random, word: string): string {
  if (!random.chance(0.3)) return word;
  const at = random.whole(0, word.length - 1);
  const rest = word.slice(at + 1);
  return (
    word.slice(0, at) +
    random.pick([rest, `x${rest}`, `${word[at]}${word[at]}${rest}`, `${rest.charAt(0)}${word[at]}${rest.slice(1)}`])
  );
}
