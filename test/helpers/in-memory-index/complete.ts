import { compareCodePoints } from '../../../src/core/compare-text.ts';
import type { StoredDocument } from '../../../src/core/document.ts';
import {
  COMPLETED_FIELDS,
  type Completion,
  type CompletionOptions,
  type Completions,
  displayOf,
  MAX_FUZZY_FORMS,
  MAX_PHRASE_BYTES,
  MAX_RUN_WORDS,
  MIN_RUN_DOCUMENTS,
  MIN_TYPO_CHARS,
  NO_COMPLETIONS,
  phraseWords,
  typedWords,
} from '../../../src/search-index/completions.ts';
import { isStopWord } from '../../../src/text/stop-words.ts';

/** A completion while documents are read: `whole` once a title is nothing else; `source` = the text it is shown from. */
type Candidate = {
  readonly words: readonly string[];
  readonly documents: Set<StoredDocument>;
  whole: boolean;
  source: string;
  first: number;
};

/** Completions of a typed text over all live documents, by the rules of `Completions`. */
export function complete(
  live: readonly StoredDocument[],
  text: string,
  { limit, except }: CompletionOptions,
): Completions {
  const typed = typedWords(text);
  const last = typed.at(-1);
  if (last === undefined) return NO_COMPLETIONS;
  const excluded = new Set(except.map((other) => typedKey(other)));
  const all = candidatesOf(live).filter(({ words }) => !excluded.has(words.join(' ')));
  const exact = all.filter(({ words }) => fits(words, typed, (word, at) => matchesTyped(word, typed, at)));
  const fuzzy = exact.length < limit ? fuzzyForms(candidatesOf(live), typed) : undefined;
  const rest = all.filter((candidate) => fuzzy !== undefined && !exact.includes(candidate));
  const corrected = rest.filter(({ words }) =>
    fits(words, typed, (word, at) =>
      at === fuzzy?.at ? fuzzy.allForms.includes(word) : matchesTyped(word, typed, at),
    ),
  );
  return {
    total: exact.length,
    items: bestOf(exact, limit),
    correctedTotal: corrected.length,
    corrected: bestOf(corrected, limit),
    fuzzy: fuzzy && { word: fuzzy.word, forms: fuzzy.allForms.slice(0, MAX_FUZZY_FORMS) },
  };
}

function bestOf(candidates: readonly Candidate[], limit: number): readonly Completion[] {
  const best = candidates.toSorted(compareCandidates).slice(0, limit);
  return best.map(({ words, documents, whole, source, first }) => ({
    text: displayOf(source, { first, count: words.length, whole }),
    documents: documents.size,
  }));
}

function typedKey(text: string): string {
  return phraseWords(text)
    .map(({ folded }) => folded)
    .join(' ');
}

function matchesTyped(word: string, typed: readonly string[], at: number): boolean {
  return at === typed.length - 1 ? word.startsWith(typed[at] ?? '') : word === typed[at];
}

/** Whether the typed words stand somewhere in the words side by side. */
function fits(
  words: readonly string[],
  typed: readonly string[],
  matches: (word: string, at: number) => boolean,
): boolean {
  return words.some((_, start) =>
    typed.every((_word, at) => {
      const word = words[start + at];
      return word !== undefined && matches(word, at);
    }),
  );
}

function candidatesOf(live: readonly StoredDocument[]): readonly Candidate[] {
  const byKey = new Map<string, Candidate>();
  for (const document of live) {
    for (const field of COMPLETED_FIELDS) {
      for (const value of document.fields.get(field) ?? []) addPhrase(byKey, { document, value, field });
    }
  }
  return [...byKey.values()].filter(({ whole, documents }) => whole || documents.size >= MIN_RUN_DOCUMENTS);
}

type Phrase = { readonly document: StoredDocument; readonly value: string; readonly field: string };

function addPhrase(byKey: Map<string, Candidate>, { document, value, field }: Phrase): void {
  if (Buffer.byteLength(value) > MAX_PHRASE_BYTES) return;
  const words = phraseWords(value);
  const isStop = (at: number) => isStopWord(words[at]?.surface ?? '', document.language);
  for (let first = 0; first < words.length; first++) {
    for (let end = first + 1; end <= words.length; end++) {
      const whole = field === 'Title' && first === 0 && end === words.length;
      const isRun = end - first <= MAX_RUN_WORDS && !isStop(first) && !isStop(end - 1);
      if (!whole && !isRun) continue;
      const folded = words.slice(first, end).map((word) => word.folded);
      addCandidate(byKey, { words: folded, documents: new Set([document]), whole, source: value, first });
    }
  }
}

/** Whole titles are shown rather than runs, the greater text rather than the lesser, its first place. */
function addCandidate(byKey: Map<string, Candidate>, found: Candidate): void {
  const key = found.words.join(' ');
  const known = byKey.get(key);
  if (known === undefined) {
    byKey.set(key, found);
    return;
  }
  for (const document of found.documents) known.documents.add(document);
  if (found.whole === known.whole ? found.source <= known.source : known.whole) return;
  known.whole = found.whole;
  known.source = found.source;
  known.first = found.first;
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    b.documents.size - a.documents.size ||
    a.words.length - b.words.length ||
    compareCodePoints(a.words.join(' '), b.words.join(' '))
  );
}

/** The typed word that may be misspelt, and all words of completions that it may stand for, most completions first. */
function fuzzyForms(candidates: readonly Candidate[], typed: readonly string[]) {
  const counts = new Map<string, number>();
  for (const { words } of candidates) {
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const unknown = typed.slice(0, -1).flatMap((word, at) => (counts.has(word) ? [] : [at]));
  const at = unknown[0] ?? typed.length - 1;
  const word = typed[at] ?? '';
  if (unknown.length > 1 || word.length < MIN_TYPO_CHARS) return undefined;
  const isPrefix = at === typed.length - 1;
  const forms = [...counts.keys()].filter((known) =>
    isPrefix ? !known.startsWith(word) && beginsWithFuzzy(known, word) : isOneEdit(known, word),
  );
  if (forms.length === 0) return undefined;
  const allForms = forms.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || compareCodePoints(a, b));
  return { at, word, allForms };
}

function beginsWithFuzzy(word: string, typed: string): boolean {
  const lengths = [typed.length - 1, typed.length, typed.length + 1];
  return lengths.some((length) => length <= word.length && isOneEdit(word.slice(0, length), typed));
}

/** Whether one unit is other, missing or too many, or two neighbours are swapped. */
function isOneEdit(a: string, b: string): boolean {
  const without = (text: string, i: number) => text.slice(0, i) + text.slice(i + 1);
  const units = [...Array(Math.max(a.length, b.length)).keys()];
  const isReplaced = a.length === b.length && units.filter((i) => a[i] !== b[i]).length === 1;
  const isSwapped = (i: number) => a === `${b.slice(0, i)}${b[i + 1]}${b[i]}${b.slice(i + 2)}`;
  return (
    isReplaced ||
    units.some((i) => a.length === b.length + 1 && without(a, i) === b) ||
    units.some((i) => a.length === b.length - 1 && without(b, i) === a) ||
    (a !== b && units.slice(0, -1).some(isSwapped))
  );
}
