import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { encodeText } from '../bytes/text-order.ts';
import { collectPhrases, type PhraseSource, type Phrases } from './collect-phrases.ts';
import type { CompletionData } from './completion-list.ts';
import { countRuns, type Runs } from './count-runs.ts';
import { wordListOf } from './word-list.ts';

/**
 * The completions of a generation. Pure CPU: some 65 µs per document with a title and eight headings that no other has
 * (`scripts/bench/completions.ts`).
 */
export function buildCompletions(source: PhraseSource): CompletionData {
  const phrases = collectPhrases(source);
  return listRuns(phrases, countRuns(phrases, source.languages));
}

/** Its arrays, to be handed over instead of copied. */
export function buffersOf({ words, ...rest }: CompletionData): ArrayBuffer[] {
  return [words.units, words.starts, ...Object.values(rest)].map(({ buffer }) => buffer as ArrayBuffer);
}

function listRuns(phrases: Phrases, runs: Runs): CompletionData {
  const count = runs.phrases.length;
  const starts = new Uint32Array(count + 1);
  for (let r = 0; r < count; r++) starts[r + 1] = starts[r]! + runs.counts.array[r]!;
  const { words, sequence } = numberWords(phrases, runs, starts);
  return {
    words: wordListOf(words),
    starts,
    sequence,
    owners: ownersOf(starts),
    documents: runs.documents.view().slice(),
    firsts: Uint8Array.from(runs.firsts.view()),
    whole: Uint8Array.from(runs.whole.view()),
    ...listTexts(phrases, runs),
    ...listPlaces(sequence, words.length),
  };
}

function ownersOf(starts: Uint32Array): Uint32Array {
  const owners = new Uint32Array(starts.at(-1)!);
  for (let c = 0; c + 1 < starts.length; c++) owners.fill(c, starts[c], starts[c + 1]);
  return owners;
}

/** Words that no run has are left out. */
function numberWords({ starts: phraseStarts }: Phrases, { folded, ranks, ...runs }: Runs, starts: Uint32Array) {
  const sequence = new Uint32Array(starts.at(-1)!);
  const used = new Uint32Array(folded.length + 1);
  for (let r = 0; r < runs.phrases.length; r++) {
    const index = phraseStarts[runs.phrases.array[r]!]! + runs.firsts.array[r]!;
    for (let i = 0; i < runs.counts.array[r]!; i++) {
      sequence[starts[r]! + i] = ranks[index + i]!;
      used[ranks[index + i]!] = 1;
    }
  }
  const words: string[] = [];
  for (let rank = 1; rank < used.length; rank++) {
    if (used[rank] === 1) used[rank] = words.push(folded[rank - 1]!) - 1;
  }
  for (let i = 0; i < sequence.length; i++) sequence[i] = used[sequence[i]!]!;
  return { words, sequence };
}

/** Texts of the phrases that some run is shown from. */
function listTexts({ texts }: Phrases, { phrases }: Runs) {
  const bytes = new GrowableU8();
  const textStarts = new GrowableU32();
  const numbers = new Int32Array(texts.length).fill(-1);
  const shown = phrases.view().map((phrase) => {
    if (numbers[phrase]! < 0) {
      numbers[phrase] = textStarts.length;
      textStarts.push(bytes.length);
      const text = encodeText(texts[phrase]!);
      bytes.append(text, 0, text.length);
    }
    return numbers[phrase]!;
  });
  textStarts.push(bytes.length);
  return { shown, texts: bytes.view().slice(), textStarts: textStarts.view().slice() };
}

/** Counting sort of the places by word; those of a word ascend. */
function listPlaces(sequence: Uint32Array, wordCount: number) {
  const positionStarts = new Uint32Array(wordCount + 1);
  for (let i = 0; i < sequence.length; i++) positionStarts[sequence[i]! + 1]!++;
  for (let w = 0; w < wordCount; w++) positionStarts[w + 1]! += positionStarts[w]!;
  const next = positionStarts.slice();
  const indexes = new Uint32Array(sequence.length);
  for (let i = 0; i < sequence.length; i++) indexes[next[sequence[i]!]!++] = i;
  return { positionStarts, places: indexes };
}
