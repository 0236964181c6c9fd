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

/** Document lists of one kind while they are counted, then filled. */
type Lists = { readonly start: Uint32Array; readonly next: Uint32Array; readonly items: Uint32Array };

const NO_CLASS = 0;
const CLASS_BITS = [NO_CLASS, SURFACE_CLASS.b, SURFACE_CLASS.c] as const;

/**
 * Document lists and display forms of the surfaces of a new segment: two passes over the tokens, the first counts, the
 * second fills. O(tokens + words); no string per token.
 */
export function collectSurfaces(input: SurfaceInput): Surfaces {
  const { table, owns, words } = input;
  const { own, title, uses } = countDocuments(input);
  fillDocuments(input, own, title);
  const display = frequentForms(input, uses);
  return {
    numbers: table.numbers,
    terms: table.terms,
    owns,
    documentsOf: (surface) => listOf(own, surface),
    titlesOf: (surface) => listOf(title, surface),
    displayOf: (surface) => (display[surface]! < 0 ? undefined : words.text(display[surface]!)),
  };
}

/** Sizes of the lists, and how many tokens each word has in searched text. */
function countDocuments({ table, owns, words, surfaceOfWord, ...tokens }: SurfaceInput) {
  const { tokenWords, tokenPlaces, documentEnds } = tokens;
  const count = table.terms.length;
  const ownSizes = new Uint32Array(count);
  const titleSizes = new Uint32Array(count);
  const lastOwn = new Int32Array(count).fill(-1);
  const lastTitle = new Int32Array(count).fill(-1);
  const uses = new Uint32Array(words.count);
  for (let document = 0, i = 0; document < documentEnds.length; document++) {
    for (const end = documentEnds[document]!; i < end; i++) {
      const textClass = tokenPlaces[i]! >>> PLACE_CLASS_SHIFT;
      if (textClass === CLASS_NUMBERS.none) continue;
      const word = tokenWords[i]!;
      const surface = surfaceOfWord[word]!;
      uses[word]!++;
      if (owns[surface] === 1 && lastOwn[surface] !== document) {
        lastOwn[surface] = document;
        ownSizes[surface]!++;
      }
      if (textClass === CLASS_NUMBERS.a && lastTitle[surface] !== document) {
        lastTitle[surface] = document;
        titleSizes[surface]!++;
      }
    }
  }
  return { own: listsOf(ownSizes), title: listsOf(titleSizes), uses };
}

function fillDocuments({ owns, surfaceOfWord, ...tokens }: SurfaceInput, own: Lists, title: Lists): void {
  const { tokenWords, tokenPlaces, documentEnds } = tokens;
  for (let document = 0, i = 0; document < documentEnds.length; document++) {
    for (const end = documentEnds[document]!; i < end; i++) {
      const textClass = tokenPlaces[i]! >>> PLACE_CLASS_SHIFT;
      if (textClass === CLASS_NUMBERS.none) continue;
      const surface = surfaceOfWord[tokenWords[i]!]!;
      if (owns[surface] === 1) addClass(own, surface, document, CLASS_BITS[textClass]!);
      if (textClass === CLASS_NUMBERS.a) addDocument(title, surface, document);
    }
  }
}

function addClass({ start, next, items }: Lists, surface: number, document: number, bits: number): void {
  const at = next[surface]!;
  if (at > start[surface]! && items[at - 1]! >>> SURFACE_CLASS_BITS === document) items[at - 1]! |= bits;
  else {
    items[at] = (document << SURFACE_CLASS_BITS) | bits;
    next[surface] = at + 1;
  }
}

function addDocument({ start, next, items }: Lists, surface: number, document: number): void {
  const at = next[surface]!;
  if (at > start[surface]! && items[at - 1] === document) return;
  items[at] = document;
  next[surface] = at + 1;
}

function listsOf(sizes: Uint32Array): Lists {
  const start = new Uint32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) start[i + 1] = start[i]! + sizes[i]!;
  return { start, next: start.slice(0, sizes.length), items: new Uint32Array(start[sizes.length]!) };
}

function listOf({ start, items }: Lists, surface: number): Uint32Array {
  return items.subarray(start[surface]!, start[surface + 1]!);
}

/** Per surface the word that stands for it most often, when it is not the folded one; else -1. Ties by code point. */
function frequentForms({ table, words, surfaceOfWord }: SurfaceInput, uses: Uint32Array): Int32Array {
  const best = new Int32Array(table.terms.length).fill(-1);
  for (let word = 0; word < words.count; word++) {
    const surface = surfaceOfWord[word]!;
    if (surface < 0) continue;
    const rival = best[surface]!;
    if (rival < 0 || isMoreFrequent(words, uses, word, rival)) best[surface] = word;
  }
  for (const [text, surface] of table.numbers) if (words.text(best[surface]!) === text) best[surface] = -1;
  return best;
}

function isMoreFrequent(words: WordTable, uses: Uint32Array, word: number, rival: number): boolean {
  const more = uses[word]! - uses[rival]!;
  return more > 0 || (more === 0 && compareCodePoints(words.text(word), words.text(rival)) < 0);
}
