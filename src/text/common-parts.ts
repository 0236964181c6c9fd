import { readFileSync } from 'node:fs';
import { foldWord } from './folding.ts';

/** Lists by language: beside this file in `compound-parts`, words as they are written. */
const LISTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['da', ['da']],
  ['de', ['de']],
  ['fi', ['fi']],
  ['nb', ['nb']],
  ['nl', ['nl']],
  ['nn', ['nb', 'nn']],
  ['no', ['nb']],
  ['sv', ['sv']],
]);

const known = new Map<string, readonly string[]>();

/**
 * Folded words that compounds of a language consist of on any site: what an engine knows before it has learned from its
 * documents. Read when they are first asked for; none for languages that do not write words together.
 */
export function commonParts(language: string): readonly string[] {
  const words = known.get(language) ?? (LISTS.get(language) ?? []).flatMap(readList);
  known.set(language, words);
  return words;
}

function readList(name: string): readonly string[] {
  const text = readFileSync(new URL(`compound-parts/${name}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  return lines
    .flatMap((line) => line.split(' '))
    .filter((word) => word !== '')
    .map(foldWord);
}
