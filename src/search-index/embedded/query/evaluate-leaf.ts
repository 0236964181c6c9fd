import { PHRASE_FACTOR } from '../../relevance.ts';
import { hasBit } from '../bytes/bitset.ts';
import { PositionReader } from '../positions/coder.ts';
import { RunReader } from '../positions/runs.ts';
import type { Segment } from '../segment/segment.ts';
import type { Leaf, WordLists } from './compile.ts';
import { type Intersection, intersectWords } from './intersect.ts';
import { matchesPhrase } from './phrase.ts';
import { postingsOf, WordCursor, type WordPostings } from './postings-of.ts';

/** Documents that a leaf matches, ascending, each with what the leaf adds to its score. */
export type LeafMatches = { readonly count: number; readonly documents: Uint32Array; readonly scores: Float32Array };

/** One segment under one scoring table; `segmentIndex` picks its lists out of a word's. */
export type LeafScope = {
  readonly segment: Segment;
  readonly segmentIndex: number;
  readonly table: Float32Array;
  /** Documents worth looking at; undefined = all. */
  readonly accept: Uint32Array | undefined;
};

/** Evaluates one word or phrase on its own. O(Σ df), for fields and phrases plus the positions of the candidates. */
export function evaluateLeaf(scope: LeafScope, leaf: Exclude<Leaf, { kind: 'all' }>): LeafMatches {
  if (leaf.kind === 'phrase') return evaluatePhrase(scope, leaf);
  return leaf.field === undefined ? evaluateWord(scope, leaf.word) : evaluateFieldWord(scope, leaf.word, leaf.field);
}

function evaluateWord({ segment, segmentIndex, table }: LeafScope, word: WordLists): LeafMatches {
  const { count, documents, postings } = postingsOf(segment, word.plain[segmentIndex]!);
  const scores = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    scores[i] = word.weight * table[(segment.tfBytes[postings[i]!]! << 6) | segment.norms[documents[i]!]!]!;
  }
  return { count, documents, scores };
}

/** Documents with the word in one field: a position of the word lies in a run of the field. */
function evaluateFieldWord(scope: LeafScope, word: WordLists, field: number): LeafMatches {
  const found = new FoundDocuments();
  const scorer = new WordScorer(scope, word);
  const { runStart, runs, positions, positionIndex } = scope.segment.positions();
  const runReader = new RunReader(runStart, runs);
  const reader = new PositionReader();
  reader.open(positions, positionIndex, scope.segment.tfBytes);
  const inField = (document: number, posting: number, hidden: boolean): boolean => {
    reader.read(posting);
    runReader.load(document);
    for (let i = 0; i < runReader.count; i++) {
      if (runReader.fields[i] !== field || (runReader.classes[i] === HIDDEN_CLASS) !== hidden) continue;
      if (hasPosition(reader, runReader.classes[i]!, runReader.starts[i]!, runReader.ends[i]!)) return true;
    }
    return false;
  };
  const plain = postingsOf(scope.segment, word.plain[scope.segmentIndex]!);
  const hidden = postingsOf(scope.segment, word.hidden[scope.segmentIndex]!);
  forEachDocument(plain, hidden, (document, plainPosting, hiddenPosting) => {
    if (scope.accept !== undefined && !hasBit(scope.accept, document)) return;
    const matches =
      (plainPosting >= 0 && inField(document, plainPosting, false)) ||
      (hiddenPosting >= 0 && inField(document, hiddenPosting, true));
    if (matches) found.add(document, scorer.score(document));
  });
  return found.matches();
}

const HIDDEN_CLASS = 3;

function evaluatePhrase(scope: LeafScope, leaf: Extract<Leaf, { kind: 'phrase' }>): LeafMatches {
  const found = new FoundDocuments();
  const { words, field } = leaf;
  if (words.length === 0 || field === -1) return found.matches();
  const scorers = words.map((word) => new WordScorer(scope, word));
  const score = (document: number) => {
    let sum = 0;
    for (const scorer of scorers) sum = Math.fround(sum + scorer.score(document));
    return Math.fround(PHRASE_FACTOR * sum);
  };
  const { segment, segmentIndex, accept } = scope;
  const plainLists = words.map((word) => word.plain[segmentIndex]!);
  const plain = intersectWords(segment, plainLists, accept);
  const hidden =
    field === undefined
      ? NOWHERE
      : intersectWords(
          segment,
          words.map((word) => word.hidden[segmentIndex]!),
          accept,
        );
  const inPlain = matchesPhrase(segment, leaf, false);
  const inHidden = matchesPhrase(segment, leaf, true);
  forEachDocument(rowsOf(plain), rowsOf(hidden), (document, i, j) => {
    const matches =
      (i >= 0 && inPlain(document, plain.postings, i)) || (j >= 0 && inHidden(document, hidden.postings, j));
    if (matches) found.add(document, score(document));
  });
  return found.matches();
}

const NOWHERE: Intersection = { count: 0, documents: new Uint32Array(0), postings: [] };

/** Documents with their places in the intersection. */
function rowsOf({ count, documents }: Intersection): WordPostings {
  const postings = new Uint32Array(count);
  for (let i = 0; i < count; i++) postings[i] = i;
  return { count, documents, postings };
}

/** Scores a word in documents that ascend: by its searched text, else by the fields that plain words skip. */
class WordScorer {
  private readonly scope: LeafScope;
  private readonly weight: number;
  private readonly plain: WordCursor;
  private readonly hidden: WordCursor;

  constructor(scope: LeafScope, word: WordLists) {
    this.scope = scope;
    this.weight = word.weight;
    this.plain = new WordCursor(scope.segment, word.plain[scope.segmentIndex]!);
    this.hidden = new WordCursor(scope.segment, word.hidden[scope.segmentIndex]!);
  }

  score(document: number): number {
    const { segment, table } = this.scope;
    let posting = this.plain.seek(document);
    if (posting < 0) posting = this.hidden.seek(document);
    return Math.fround(this.weight * table[(segment.tfBytes[posting]! << 6) | segment.norms[document]!]!);
  }
}

/** Visits the union of two lists, ascending, with the posting in each or -1. */
function forEachDocument(
  a: WordPostings,
  b: WordPostings,
  visit: (document: number, inA: number, inB: number) => void,
): void {
  let i = 0;
  let j = 0;
  while (i < a.count || j < b.count) {
    const x = i < a.count ? a.documents[i]! : Number.POSITIVE_INFINITY;
    const y = j < b.count ? b.documents[j]! : Number.POSITIVE_INFINITY;
    visit(Math.min(x, y), x <= y ? a.postings[i++]! : -1, y <= x ? b.postings[j++]! : -1);
  }
}

/** Whether a position of the class lies in `[start, end)`. */
function hasPosition(reader: PositionReader, textClass: number, start: number, end: number): boolean {
  const { from, to } = reader.rangeOfClass(textClass);
  for (let i = from; i < to; i++) {
    const position = reader.positions[i]!;
    if (position >= start && position < end) return true;
  }
  return false;
}

class FoundDocuments {
  private readonly documents: number[] = [];
  private readonly scores: number[] = [];

  add(document: number, score: number): void {
    this.documents.push(document);
    this.scores.push(score);
  }

  matches(): LeafMatches {
    const documents = Uint32Array.from(this.documents);
    return { count: documents.length, documents, scores: Float32Array.from(this.scores) };
  }
}
