import { scanWords } from '../word-characters.ts';
import { collectBlocks, type TextBlock } from './blocks.ts';
import { parsePage } from './page-tree.ts';
import { stateText } from './state-json.ts';
import { type DataItem, isOfType } from './structured-data.ts';
import { structuredText } from './structured-text.ts';

export type FallbackText = {
  /** In the order of their sources; their elements are not of the page. */
  readonly blocks: readonly TextBlock[];
  /** The page has no other text, so that these may be quoted. */
  readonly isOnlyText: boolean;
  /** `json-ld`, `state`. */
  readonly sources: readonly string[];
  readonly notes: readonly string[];
};

type Page = {
  readonly chosen: readonly TextBlock[];
  readonly items: readonly DataItem[];
  /** Scripts that hold the state of an application. */
  readonly states: readonly string[];
};

/** Fewer chosen words ask for more; fewer than the second number do when JSON-LD has more than four times as many. */
const FEW_WORDS = 60;
const SOME_WORDS = 150;
const MUCH_MORE = 4;
/** What a source must add, and how much of it may be there already. */
const MIN_ADDED_WORDS = 60;
const MAX_KNOWN_SHARE = 0.3;
/** A title at best. */
const HARDLY_ANY_WORDS = 10;

const NOTHING: FallbackText = { blocks: [], isOnlyText: false, sources: [], notes: [] };

/**
 * Text that the page holds but does not show: of its JSON-LD, then of its application's state. Asked when hardly any
 * text was chosen; a thread may have more posts in its JSON-LD than it shows. Beside a chosen text of some length the
 * description of a product was worse on 5 of 5 labelled pages, the state of an application on 2 of 4. Costs a parse of
 * these texts, and nothing when none is wanted.
 */
export function extractFallback({ chosen, items, states }: Page): FallbackText {
  const words = wordsOf(chosen);
  const isThread = items.filter((item) => isOfType(item, THREAD)).length === 1;
  if (words >= SOME_WORDS && !isThread) return NOTHING;
  const known = shinglesOf(chosen);
  const blocks: TextBlock[] = [];
  const sources: string[] = [];
  const take = (source: string, html: string, wants: (foundWords: number) => boolean) => {
    const found = html.trim() === '' ? [] : blocksOf(html);
    const foundWords = wordsOf(found);
    if (foundWords < MIN_ADDED_WORDS || !wants(foundWords) || isKnown(found, known)) return;
    blocks.push(...found);
    sources.push(source);
    for (const shingle of shinglesOf(found)) known.add(shingle);
  };
  take('json-ld', structuredText(items), (foundWords) => {
    const isMuchMore = words < SOME_WORDS && words * MUCH_MORE < foundWords;
    return words < FEW_WORDS || isMuchMore || (isThread && words < foundWords);
  });
  const state = words + wordsOf(blocks) < FEW_WORDS ? stateText(states) : { html: '', notes: [] };
  take('state', state.html, () => true);
  const isOnlyText = wordsOf(chosen.filter(({ kind }) => kind !== 'heading')) < HARDLY_ANY_WORDS;
  return { blocks, isOnlyText, sources, notes: state.notes };
}

const THREAD = /^DiscussionForumPosting$/;

function blocksOf(html: string): readonly TextBlock[] {
  return collectBlocks(parsePage(html)).blocks.filter(
    ({ visibility, kind }) => visibility === 'visible' && kind !== 'button',
  );
}

function wordsOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { words }) => sum + words, 0);
}

function isKnown(found: readonly TextBlock[], known: ReadonlySet<number>): boolean {
  const shingles = shinglesOf(found);
  let there = 0;
  for (const shingle of shingles) if (known.has(shingle)) there++;
  return there >= shingles.size * MAX_KNOWN_SHARE;
}

const SHINGLE_WORDS = 8;

/** Hashes of every run of eight words, over the borders of blocks. */
function shinglesOf(blocks: readonly TextBlock[]): Set<number> {
  const shingles = new Set<number>();
  const window = new Uint32Array(SHINGLE_WORDS);
  let words = 0;
  for (const { text } of blocks) {
    const lower = text.toLowerCase();
    scanWords(lower, (start, end) => {
      window[words++ % SHINGLE_WORDS] = hashOf(lower, start, end);
      if (words < SHINGLE_WORDS) return;
      let hash = 0;
      for (let at = words; at < words + SHINGLE_WORDS; at++)
        hash = Math.imul(hash, 31) + (window[at % SHINGLE_WORDS] ?? 0);
      shingles.add(hash | 0);
    });
  }
  return shingles;
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
