import { tfByte } from '../../relevance.ts';
import { codePositions } from '../positions/coder.ts';
import { POSITION_CLASS_SHIFT, POSITION_MASK, PostingsWriter } from '../postings/writer.ts';
import type { NamedGroups } from './name-groups.ts';
import type { TokenGroups } from './token-groups.ts';

/** Tokens of all terms: (document, place) pairs, where each term's begin, and where the last end. */
type TermTokens = { readonly pairs: Uint32Array; readonly starts: Uint32Array };

/** The postings of all terms of a new segment. O(tokens + terms); one random write a token. */
export function writePostings(groups: TokenGroups, named: NamedGroups, norms: Uint8Array): PostingsWriter {
  const { pairs, starts } = sortTokens(groups, named);
  const coder = new PostingCoder(new PostingsWriter(norms));
  const { from, to } = named.bareTerms;
  for (let term = 0; term < named.termCount; term++) {
    if (term >= from && term < to) coder.writeBare(pairs, starts[term]!, starts[term + 1]!);
    else coder.write(pairs, starts[term]!, starts[term + 1]!);
  }
  return coder.postings;
}

/** Counting sort of the tokens by term; each term's stay in document order. */
function sortTokens(groups: TokenGroups, named: NamedGroups): TermTokens {
  const { termOfGroup, partsOfGroup } = named;
  const starts = countTokens(groups, named);
  const next = starts.slice();
  const pairs = new Uint32Array(starts[named.termCount]!);
  const put = (term: number, document: number, index: number): void => {
    const at = next[term]!;
    pairs[at] = document;
    pairs[at + 1] = index;
    next[term] = at + 2;
  };
  for (const { document, tokens, from, to } of groups.pieces()) {
    for (let i = from; i < to; i += 2) put(termOfGroup[tokens[i]!]!, document, tokens[i + 1]!);
  }
  if (partsOfGroup === undefined) return { pairs, starts };
  // No term has tokens of both kinds.
  for (const { document, tokens, from, to } of groups.pieces()) {
    for (let i = from; i < to; i += 2) {
      for (const term of partsOfGroup.get(tokens[i]!) ?? NO_PARTS) put(term, document, tokens[i + 1]!);
    }
  }
  return { pairs, starts };
}

const NO_PARTS = new Uint32Array(0);

/** Where the pairs of each term begin in an array of numbers. */
function countTokens({ sizes }: TokenGroups, { termOfGroup, termCount, partsOfGroup }: NamedGroups): Uint32Array {
  const starts = new Uint32Array(termCount + 1);
  for (let group = 0; group < termOfGroup.length; group++) starts[termOfGroup[group]! + 1]! += sizes.array[group]! * 2;
  for (const [group, terms] of partsOfGroup ?? []) {
    for (const term of terms) starts[term + 1]! += sizes.array[group]! * 2;
  }
  for (let term = 0; term < termCount; term++) starts[term + 1]! += starts[term]!;
  return starts;
}

/** Writes the postings of terms from their tokens. */
class PostingCoder {
  readonly postings: PostingsWriter;
  private readonly counts = { a: 0, b: 0, c: 0 };
  private places = new Uint32Array(1 << 10);

  constructor(postings: PostingsWriter) {
    this.postings = postings;
  }

  /** One term: its pairs are `pairs[from..to)`. */
  write(pairs: Uint32Array, from: number, to: number): void {
    const { postings } = this;
    postings.beginTerm();
    for (let at = from; at < to; ) {
      const document = pairs[at]!;
      const first = pairs[at + 1]!;
      at += 2;
      if (at === to || pairs[at] !== document) {
        const out = postings.beginPosting();
        out.varint(first & POSITION_MASK);
        postings.endPosting(document, SINGLE_TF[first >>> POSITION_CLASS_SHIFT]!);
      } else {
        at = this.writeSeveral(pairs, at - 2, to);
      }
    }
    postings.endTerm();
  }

  /** One term of secondary text: its count in the bits of class C, no positions. */
  writeBare(pairs: Uint32Array, from: number, to: number): void {
    const { postings } = this;
    postings.beginTerm();
    for (let at = from; at < to; ) {
      const start = at;
      while (at < to && pairs[at] === pairs[start]) at += 2;
      postings.beginPosting();
      postings.endPosting(pairs[start]!, tfByte(0, 0, (at - start) / 2));
    }
    postings.endTerm();
  }

  /** A posting of two places or more; returns where the next begins. */
  private writeSeveral(pairs: Uint32Array, from: number, to: number): number {
    const document = pairs[from]!;
    let count = 0;
    let at = from;
    for (; at < to && pairs[at] === document; at += 2) {
      if (count === this.places.length) this.grow();
      insertPlace(this.places, count++, pairs[at + 1]!);
    }
    const out = this.postings.beginPosting();
    this.postings.endPosting(document, codePositions(this.places, 0, count, this.counts, out));
    return at;
  }

  private grow(): void {
    const larger = new Uint32Array(this.places.length * 2);
    larger.set(this.places);
    this.places = larger;
  }
}

/** The tf byte of one place, by its class. */
const SINGLE_TF = [tfByte(1, 0, 0), tfByte(0, 1, 0), tfByte(0, 0, 1), tfByte(0, 0, 1)];

/** Places of one document ascend but where a joined form shares the stem of one of its parts. */
function insertPlace(indexes: Uint32Array, count: number, index: number): void {
  let at = count;
  for (; at > 0 && indexes[at - 1]! > index; at--) indexes[at] = indexes[at - 1]!;
  indexes[at] = index;
}
