/** Finds words of several groups in one pass over a text (Aho and Corasick 1975). */
export type WordFinder = {
  /** By state and character: the next state. Characters that no word has lead to the start. */
  readonly next: Uint16Array;
  /** By state: words that end there, as numbers of `words`. */
  readonly ends: readonly (readonly Word[])[];
};

type Word = {
  readonly group: number;
  readonly length: number;
  readonly startsWord: boolean;
  readonly endsWord: boolean;
};

const CHARS = 128;

/**
 * The groups' words are found anywhere; `<` before a word and `>` behind it ask for a border as `\b` does in expressions.
 * Words are ASCII, lower case, without blanks.
 */
export function wordFinder(groups: readonly (readonly string[])[]): WordFinder {
  const children: Map<number, number>[] = [new Map()];
  const ends: Word[][] = [[]];
  for (const [group, words] of groups.entries()) {
    for (const word of words) {
      const letters = word.replace(/^<|>$/g, '');
      const state = addLetters(children, ends, letters);
      const containers = { startsWord: word.startsWith('<'), endsWord: word.endsWith('>') };
      ends[state]?.push({ group, length: letters.length, ...containers });
    }
  }
  return linkStates(children, ends);
}

/** The state that the letters lead to. */
function addLetters(children: Map<number, number>[], ends: Word[][], letters: string): number {
  let state = 0;
  for (let at = 0; at < letters.length; at++) {
    const unit = letters.charCodeAt(at);
    let child = children[state]?.get(unit);
    if (child === undefined) {
      child = children.length;
      children[state]?.set(unit, child);
      children.push(new Map());
      ends.push([]);
    }
    state = child;
  }
  return state;
}

/** Where no child goes on, a state goes on as that of its longest proper ending does; breadth first, so that it is known. */
function linkStates(children: readonly ReadonlyMap<number, number>[], ends: Word[][]): WordFinder {
  const next = new Uint16Array(children.length * CHARS);
  const fallbacks = new Uint16Array(children.length);
  const order = [0];
  for (let at = 0; at < order.length; at++) {
    const state = order[at] ?? 0;
    const fallback = fallbacks[state] ?? 0;
    if (state !== 0) {
      next.copyWithin(state * CHARS, fallback * CHARS, (fallback + 1) * CHARS);
      ends[state]?.push(...(ends[fallback] ?? []));
    }
    for (const [unit, child] of children[state] ?? []) {
      if (state !== 0) fallbacks[child] = next[state * CHARS + unit] ?? 0;
      next[state * CHARS + unit] = child;
      order.push(child);
    }
  }
  return { next, ends };
}

/** Groups that have a word in the text, which is lower case. O(characters). */
export function findWords({ next, ends }: WordFinder, text: string): readonly number[] {
  const found: number[] = [];
  let state = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    state = unit < CHARS ? (next[state * CHARS + unit] ?? 0) : 0;
    for (const word of ends[state] ?? []) {
      if (!found.includes(word.group) && hasBorders(text, at, word)) found.push(word.group);
    }
  }
  return found;
}

/** Whether the word that ends at a place has the borders that it asks for. */
function hasBorders(text: string, at: number, { length, startsWord, endsWord }: Word): boolean {
  if (startsWord && isLetterAt(text, at - length)) return false;
  return !(endsWord && isLetterAt(text, at + 1));
}

/** What `\w` stands for in lower case. */
function isLetterAt(text: string, at: number): boolean {
  const unit = at < 0 || at >= text.length ? 0 : text.charCodeAt(at);
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f;
}
