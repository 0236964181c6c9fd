import type { NameRange } from '../../../text/title-name.ts';
import type { QueryWord } from '../../rerank.ts';
import type { PositionReader } from '../positions/coder.ts';

/** Bits of a tf byte for classes A, B and C. */
export const CLASS_BITS = [0x03, 0x0c, 0xf0] as const;

type Within = {
  readonly textClass: number;
  /** Tf byte per word; positions are read of those that the class has. */
  readonly tfs: Uint8Array;
  readonly end: number;
};

/**
 * Decides on the positions that readers hold whether the words of a query stand side by side in its order. A stop word
 * may be missing; a joined form stands on the position of its first part.
 */
export class PhraseWalk {
  private readonly words: readonly QueryWord[];
  private readonly readers: readonly PositionReader[];

  constructor(words: readonly QueryWord[], readers: readonly PositionReader[]) {
    this.words = words;
    this.readers = readers;
  }

  /** Somewhere in a class before `end`. */
  isAnywhere(textClass: number, tfs: Uint8Array, end: number): boolean {
    return this.walk(undefined, { textClass, tfs, end }).length > 0;
  }

  /** From the position `from` of class A up to `to`. */
  fills(tfs: Uint8Array, { from, to }: NameRange): boolean {
    return this.walk([from - 1], { textClass: 0, tfs, end: to }).includes(to - 1);
  }

  /** Positions that the words up to the last have come to, ascending. O(positions of the words). */
  private walk(before: readonly number[] | undefined, within: Within): readonly number[] {
    let reached = before;
    for (let word = 0; word < this.words.length; word++) {
      const isStop = this.words[word]!.role === 'stop';
      if (isStop && reached === undefined) continue;
      const found = this.positionsAfter(word, reached, within, isStop);
      reached = isStop ? merged(reached!, found) : found;
      if (reached.length === 0) return reached;
    }
    return reached ?? [];
  }

  /** Positions of a word on or right behind one that was reached; of a stop word, right behind only. Ascending. */
  private positionsAfter(
    word: number,
    reached: readonly number[] | undefined,
    { textClass, tfs, end }: Within,
    isStop: boolean,
  ): number[] {
    const found: number[] = [];
    const reader = this.readers[word]!;
    const { from, to } =
      (tfs[word]! & CLASS_BITS[textClass]!) === 0 ? { from: 0, to: 0 } : reader.rangeOfClass(textClass);
    let at = 0;
    for (let i = from; i < to && reader.positions[i]! < end; i++) {
      const position = reader.positions[i]!;
      while (reached !== undefined && at < reached.length && reached[at]! < position - 1) at++;
      const follows = reached === undefined || reached[at] === position - 1;
      const isOn = !isStop && (reached?.[at] === position || reached?.[at + 1] === position);
      if ((follows || isOn) && found.at(-1) !== position) found.push(position);
    }
    return found;
  }
}

/** The positions of both lists, each once; both ascend. */
function merged(a: readonly number[], b: readonly number[]): readonly number[] {
  if (b.length === 0) return a;
  const all: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const next = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    if (a[i] === next) i++;
    if (b[j] === next) j++;
    all.push(next);
  }
  return all;
}
