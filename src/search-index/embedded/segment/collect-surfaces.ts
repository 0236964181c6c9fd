import { compareCodePoints } from '../../../core/compare-text.ts';
import { CLASS_NUMBERS } from '../numbering.ts';
import { PLACE_CLASS_SHIFT } from '../postings/writer.ts';
import { SURFACE_CLASS, SURFACE_CLASS_BITS, type Surfaces, type SurfaceTable } from '../term-dictionary/surfaces.ts';
import type { WordTable } from './word-table.ts';

export type SurfaceInput = {
  readonly table: SurfaceTable;
  readonly owns: Uint8Array;
  readonly words: WordTable;
  /** Surface of each word, -1 = it stands only in fields that plain words skip. */
  readonly surfaceOfWord: Int32Array;
  readonly tokenWords: Uint32Array;
  readonly tokenPlaces: Uint32Array;
  /** Per document the first token behind it. */
  readonly documentEnds: Uint32Array;
};

/** Document lists of one kind while they are filled. */
type Lists = {
  readonly start: Uint32Array;
  readonly next: Uint32Array;
  readonly items: Uint32Array;
};

const CLASS_BITS = [0, SURFACE_CLASS.b, SURFACE_CLASS.c] as const;
/** Tokens of any searched class, or of class A, which sorts below the others. */
const SEARCHED = CLASS_NUMBERS.none - 1;
const TITLE = CLASS_NUMBERS.a;

/**
 * Document lists and display forms of the surfaces of a new segment: two passes over the tokens per kind of list, the
 * first counts, the second fills. O(tokens + words); no string per token, none at all for words without a list.
 */
export function collectSurfaces(input: SurfaceInput): Surfaces {
  const { table, owns, words, surfaceOfWord } = input;
  const ownOfWord = surfaceOfWord.map((surface) => (surface >= 0 && owns[surface] === 1 ? surface : -1));
  const own = fillLists(input, ownOfWord, SEARCHED);
  const title = fillLists(input, surfaceOfWord, TITLE);
  const display = frequentForms(input);
  return {
    numbers: table.numbers,
    terms: table.terms,
    owns,
    documentsOf: (surface) => listOf(own, surface),
    titlesOf: (surface) => listOf(title, surface),
    displayOf: (surface) => (display[surface]! < 0 ? undefined : words.text(display[surface]!)),
  };
}

/** Documents, each with its classes, of all lists over the tokens of the classes up to `lastClass`. */
function fillLists(input: SurfaceInput, listOfWord: Int32Array, lastClass: number): Lists {
  const { tokenWords, tokenPlaces, documentEnds, table } = input;
  const lists = countDocuments(input, listOfWord, lastClass, table.terms.length);
  const { start, next, items } = lists;
  for (let document = 0, i = 0; document < documentEnds.length; document++) {
    for (const end = documentEnds[document]!; i < end; i++) {
      const textClass = tokenPlaces[i]! >>> PLACE_CLASS_SHIFT;
      if (textClass > lastClass) continue;
      const list = listOfWord[tokenWords[i]!]!;
      if (list < 0) continue;
      const at = next[list]!;
      if (at > start[list]! && items[at - 1]! >>> SURFACE_CLASS_BITS === document) {
        items[at - 1] = items[at - 1]! | CLASS_BITS[textClass]!;
      } else {
        items[at] = (document << SURFACE_CLASS_BITS) | CLASS_BITS[textClass]!;
        next[list] = at + 1;
      }
    }
  }
  return lists;
}

function countDocuments(
  { tokenWords, tokenPlaces, documentEnds }: SurfaceInput,
  listOfWord: Int32Array,
  lastClass: number,
  listCount: number,
): Lists {
  const start = new Uint32Array(listCount + 1);
  const last = new Int32Array(listCount).fill(-1);
  for (let document = 0, i = 0; document < documentEnds.length; document++) {
    for (const end = documentEnds[document]!; i < end; i++) {
      if (tokenPlaces[i]! >>> PLACE_CLASS_SHIFT > lastClass) continue;
      const list = listOfWord[tokenWords[i]!]!;
      if (list < 0 || last[list] === document) continue;
      last[list] = document;
      start[list + 1]!++;
    }
  }
  for (let list = 0; list < listCount; list++) start[list + 1] = start[list + 1]! + start[list]!;
  return { start, next: start.slice(0, listCount), items: new Uint32Array(start[listCount]!) };
}

function listOf({ start, items }: Lists, surface: number): Uint32Array {
  return items.subarray(start[surface]!, start[surface + 1]!);
}

/** Per surface the word that stands for it most often, when it is not the folded one; else -1. Ties by code point. */
function frequentForms(input: SurfaceInput): Int32Array {
  const { table, words, surfaceOfWord } = input;
  const best = new Int32Array(table.terms.length).fill(-1);
  const contested = new Uint8Array(table.terms.length);
  for (let word = 0; word < words.count; word++) {
    const surface = surfaceOfWord[word]!;
    if (surface < 0) continue;
    if (best[surface]! >= 0) contested[surface] = 1;
    best[surface] = word;
  }
  if (contested.includes(1)) settleContests(input, contested, best);
  for (const [text, surface] of table.numbers) if (words.text(best[surface]!) === text) best[surface] = -1;
  return best;
}

/** Surfaces of several written forms: counts the tokens of each. */
function settleContests(input: SurfaceInput, contested: Uint8Array, best: Int32Array): void {
  const { words, surfaceOfWord, tokenWords, tokenPlaces } = input;
  const uses = new Uint32Array(words.count);
  for (let i = 0; i < tokenWords.length; i++) {
    if (tokenPlaces[i]! >>> PLACE_CLASS_SHIFT <= SEARCHED) uses[tokenWords[i]!]!++;
  }
  for (let word = 0; word < words.count; word++) {
    const surface = surfaceOfWord[word]!;
    if (surface < 0 || contested[surface] === 0) continue;
    if (isMoreFrequent(words, uses, word, best[surface]!)) best[surface] = word;
  }
}

function isMoreFrequent(words: WordTable, uses: Uint32Array, word: number, rival: number): boolean {
  const more = uses[word]! - uses[rival]!;
  return more > 0 || (more === 0 && compareCodePoints(words.text(word), words.text(rival)) < 0);
}
