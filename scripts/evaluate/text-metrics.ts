/** Public definitions of how like two texts are: docs/extraction.md names what each is used for. */

export type Score = { readonly precision: number; readonly recall: number; readonly f1: number };

const WORD = /[\p{L}\p{N}_]+/gu;

/** Runs of letters, digits and `_`, case kept. */
export function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

/** Overlap of the words as multisets, case ignored. An empty truth scores 1 for an empty output, else 0. */
export function wordScore(output: string, truth: string): Score {
  return overlapScore(wordsOf(output.toLowerCase()), wordsOf(truth.toLowerCase()));
}

/**
 * The same where nobody asks how often a line stands: readers leave out the heads and footers that pages repeat, other
 * tools do not. A word counts as often as the different lines of a text have it, or up to as often as all of them do,
 * whatever agrees. O(words).
 */
export function wordScoreOfLines(output: string, truth: string): Score {
  const [outputCounts, truthCounts] = [countsByLines(output), countsByLines(truth)];
  const sum = { output: 0, truth: 0, overlap: 0 };
  for (const word of new Set([...outputCounts.keys(), ...truthCounts.keys()])) {
    const own = outputCounts.get(word) ?? NOWHERE;
    const wanted = truthCounts.get(word) ?? NOWHERE;
    const agreed = Math.min(own.inAll, wanted.inAll);
    sum.output += Math.max(own.inDifferent, agreed);
    sum.truth += Math.max(wanted.inDifferent, agreed);
    sum.overlap += agreed;
  }
  return scoreOf(sum);
}

/** Overlap of the runs of `size` words as multisets, case kept. A text with fewer words is one run. */
export function shingleScore(output: string, truth: string, size = 4): Score {
  return overlapScore(shinglesOf(wordsOf(output), size), shinglesOf(wordsOf(truth), size));
}

/** F1 of the mean precision and the mean recall, as benchmarks of article texts report it. */
export function pooledF1(scores: readonly Score[]): number {
  const sum = (of: (score: Score) => number) => scores.reduce((total, score) => total + of(score), 0);
  return f1Of(sum(({ precision }) => precision) / scores.length, sum(({ recall }) => recall) / scores.length);
}

/** Share of the snippets that the text contains, case ignored; `whenEmpty` when there are none. */
export function snippetShare(text: string, snippets: readonly string[], whenEmpty: number): number {
  if (snippets.length === 0) return whenEmpty;
  const lower = text.toLowerCase();
  return snippets.filter((snippet) => lower.includes(snippet.toLowerCase())).length / snippets.length;
}

/** How many of the segments the text contains, both in normal form C with blanks folded. */
export function segmentsIn(text: string, segments: readonly string[]): number {
  const folded = foldBlanks(text);
  return segments.filter((segment) => folded.includes(foldBlanks(segment))).length;
}

/** Titles are equal when they differ in case, blanks and the form of their quotation marks at most. */
export function isSameTitle(a: string, b: string): boolean {
  return foldTitle(a) === foldTitle(b);
}

/** Harmonic mean; 0 when both are. */
export function f1Of(precision: number, recall: number): number {
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

/** How often a word stands in the lines of a text that differ, and in all of them. */
type LineCounts = { readonly inDifferent: number; readonly inAll: number };
const NOWHERE: LineCounts = { inDifferent: 0, inAll: 0 };

function countsByLines(text: string): ReadonlyMap<string, LineCounts> {
  const counts = new Map<string, LineCounts>();
  const known = new Set<string>();
  for (const line of text.toLowerCase().split('\n')) {
    const words = wordsOf(line);
    const key = words.join(' ');
    const first = known.has(key) ? 0 : 1;
    known.add(key);
    for (const word of words) {
      const { inDifferent, inAll } = counts.get(word) ?? NOWHERE;
      counts.set(word, { inDifferent: inDifferent + first, inAll: inAll + 1 });
    }
  }
  return counts;
}

function overlapScore(output: readonly string[], truth: readonly string[]): Score {
  const left = new Map<string, number>();
  for (const item of truth) left.set(item, (left.get(item) ?? 0) + 1);
  let overlap = 0;
  for (const item of output) {
    const count = left.get(item) ?? 0;
    if (count > 0) overlap++;
    left.set(item, count - 1);
  }
  return scoreOf({ output: output.length, truth: truth.length, overlap });
}

type Overlap = { readonly output: number; readonly truth: number; readonly overlap: number };

/** Counts of a text, of the wanted one, and of what both have. */
function scoreOf({ output, truth, overlap }: Overlap): Score {
  if (truth === 0 || output === 0) {
    const value = truth === output ? 1 : 0;
    return { precision: value, recall: value, f1: value };
  }
  const precision = overlap / output;
  const recall = overlap / truth;
  return { precision, recall, f1: f1Of(precision, recall) };
}

function shinglesOf(words: readonly string[], size: number): readonly string[] {
  if (words.length <= size) return words.length === 0 ? [] : [words.join(' ')];
  return words.slice(size - 1).map((_, index) => words.slice(index, index + size).join(' '));
}

function foldBlanks(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

function foldTitle(text: string): string {
  return foldBlanks(text)
    .toLowerCase()
    .replace(/[‘’‚‛′`´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"');
}
