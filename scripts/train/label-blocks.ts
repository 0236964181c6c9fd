import { wordsOf } from '../evaluate/text-metrics.ts';

/** At least this share of a block's words stands in the truth. */
const MIN_SHARE = 0.6;
/** Words of the truth that may stand between two words of a block. */
const MAX_GAP = 3;
/** Blocks of so few words are found only where their neighbours are. */
const SHORT_WORDS = 3;
const STARTS = 3;
const MAX_STARTS = 400;
const NEIGHBOUR_BONUS = 0.3;
const BORDER = 2;

/**
 * Share of each block's words that is found in the truth, in order, every word of the truth used once. Longest blocks
 * first; places between blocks that are already found win.
 */
export function alignBlocks(texts: readonly string[], truth: string): readonly number[] {
  const target = wordsOf(truth.toLowerCase());
  const places = new Map<string, number[]>();
  for (const [at, word] of target.entries()) {
    const list = places.get(word);
    if (list === undefined) places.set(word, [at]);
    else list.push(at);
  }
  const blocks = texts.map((text) => wordsOf(text.toLowerCase()));
  const shares = blocks.map(() => 0);
  const foundAt = new Int32Array(blocks.length).fill(-1);
  const used = new Uint8Array(target.length);
  const bySize = blocks
    .map((_, at) => at)
    .filter((at) => blocks[at]!.length > 0)
    .sort((a, b) => blocks[b]!.length - blocks[a]!.length || a - b);
  for (const at of bySize) {
    const found = findBlock(blocks[at]!, { target, places, used, gap: gapAround(at, blocks, foundAt, target.length) });
    if (found === undefined) continue;
    shares[at] = found.length / blocks[at]!.length;
    foundAt[at] = found[0]!;
    for (const place of found) used[place] = 1;
  }
  return shares;
}

/** Words of the truth between the found neighbours of a block. */
function gapAround(
  at: number,
  blocks: readonly (readonly string[])[],
  foundAt: Int32Array,
  size: number,
): readonly [number, number] {
  let from = 0;
  let to = size;
  for (let before = at - 1; before >= 0; before--) {
    if (foundAt[before]! < 0) continue;
    from = foundAt[before]!;
    break;
  }
  for (let after = at + 1; after < blocks.length; after++) {
    if (foundAt[after]! < 0) continue;
    to = foundAt[after]! + blocks[after]!.length;
    break;
  }
  return [from, to];
}

type Search = {
  readonly target: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly used: Uint8Array;
  readonly gap: readonly [number, number];
};

function findBlock(words: readonly string[], search: Search): readonly number[] | undefined {
  const { gap } = search;
  let best: readonly number[] | undefined;
  let bestScore = 0;
  for (const start of startsOf(words, search)) {
    const isBetween = start >= gap[0] - BORDER && start <= gap[1] + BORDER;
    if (words.length <= SHORT_WORDS && !isBetween) continue;
    const found = matchFrom(words, start, search);
    const share = found.length / words.length;
    const score = share + (isBetween ? NEIGHBOUR_BONUS : 0);
    if (share < MIN_SHARE || score <= bestScore) continue;
    best = found;
    bestScore = score;
    if (isBetween && share === 1) break;
  }
  return best;
}

function startsOf(words: readonly string[], { places, used }: Search): readonly number[] {
  const starts = new Set<number>();
  for (let at = 0; at < Math.min(STARTS, words.length); at++) {
    for (const place of places.get(words[at]!) ?? []) if (used[place] === 0) starts.add(Math.max(0, place - at));
  }
  return [...starts].slice(0, MAX_STARTS);
}

function matchFrom(words: readonly string[], start: number, { target, used }: Search): readonly number[] {
  const found: number[] = [];
  let next = start;
  for (const [at, word] of words.entries()) {
    let place = -1;
    for (let step = 0; step <= MAX_GAP && next + step < target.length; step++) {
      if (target[next + step] !== word || used[next + step] === 1) continue;
      place = next + step;
      break;
    }
    if (place >= 0) {
      found.push(place);
      next = place + 1;
    } else if (at - found.length > Math.max(MAX_GAP, words.length / 2)) {
      break;
    }
  }
  return found;
}
