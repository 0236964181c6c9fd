import { compareCodePoints } from '../../../src/core/compare-text.ts';
import type { StoredDocument } from '../../../src/core/document.ts';
import {
  COMPLETED_FIELDS,
  type Completion,
  type CompletionOptions,
  type Completions,
  type Continuation,
  completedText,
  displayOf,
  MAX_CONTINUATIONS,
  MAX_FUZZY_FORMS,
  MAX_PHRASE_BYTES,
  MIN_TYPO_CHARS,
  MIN_WORD_DOCUMENTS,
  NO_COMPLETIONS,
  phraseWords,
  typedWords,
} from '../../../src/search-index/completions.ts';
import { isStopWord } from '../../../src/text/stop-words.ts';

/** Where a completion is shown from: a title or heading, the whole or word `first` of it. */
type Source = { readonly whole: boolean; readonly isTitle: boolean; readonly text: string; readonly first: number };

/** A completion while documents are read. */
type Candidate = {
  readonly words: readonly string[];
  readonly documents: Set<StoredDocument>;
  source: Source;
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
  const known = candidatesOf(live);
  const offered = known.filter(isOffered);
  const all = offered.filter(({ words }) => !excluded.has(words.join(' ')));
  const exact = all.filter(({ words }) => fits(words, typed, (word, at) => matchesTyped(word, typed, at)));
  const fuzzy = exact.length === 0 ? fuzzyForms(offered, typed) : undefined;
  const rest = all.filter((candidate) => fuzzy !== undefined && !exact.includes(candidate));
  const matchesForm = (word: string, at: number) =>
    at === fuzzy?.at ? fuzzy.allForms.includes(word) : matchesTyped(word, typed, at);
  const corrected = rest.filter(({ words }) => fits(words, typed, matchesForm));
  return {
    total: exact.length,
    items: bestOf(exact, limit, ({ words }) => placesOf(words, typed, (word, at) => matchesTyped(word, typed, at))),
    correctedTotal: corrected.length,
    corrected: bestOf(corrected, limit, ({ words }) => placesOf(words, typed, matchesForm)),
    fuzzy: fuzzy && { word: fuzzy.word, forms: fuzzy.allForms.slice(0, MAX_FUZZY_FORMS) },
    continuations: continuationsOf(known, typed),
  };
}

/** What stands last where several typed words stand side by side, or else any word that begins so. */
function continuationsOf(candidates: readonly Candidate[], typed: readonly string[]): readonly Continuation[] {
  const last = typed.at(-1) ?? '';
  const singles = new Map(
    candidates.flatMap(({ words, documents }) => (words.length === 1 ? [[words[0] ?? '', documents.size]] : [])) as [
      string,
      number,
    ][],
  );
  const counts = new Map<string, number>();
  for (const { words, documents } of typed.length === 1 ? [] : candidates.filter(isOffered)) {
    for (const start of placesOf(words, typed, (word, at) => matchesTyped(word, typed, at))) {
      const word = words[start + typed.length - 1] ?? '';
      if (singles.has(word)) counts.set(word, (counts.get(word) ?? 0) + documents.size);
    }
  }
  const anywhere = [...singles].filter(([word]) => word.startsWith(last));
  return [...(counts.size > 0 ? counts : anywhere)]
    .map(([word, documents]) => ({ word, documents }))
    .sort((a, b) => b.documents - a.documents || compareCodePoints(a.word, b.word))
    .slice(0, MAX_CONTINUATIONS);
}

function bestOf(
  candidates: readonly Candidate[],
  limit: number,
  placesIn: (candidate: Candidate) => readonly number[],
): readonly Completion[] {
  const begins = (candidate: Candidate) => Number(placesIn(candidate).includes(0));
  const best = candidates.toSorted(
    (a, b) =>
      b.documents.size - a.documents.size ||
      begins(b) - begins(a) ||
      a.words.length - b.words.length ||
      compareCodePoints(a.words.join(' '), b.words.join(' ')),
  );
  return best.slice(0, limit).map(({ documents, source: { text, whole, first } }) => ({
    text: displayOf(text, whole ? 'whole' : { word: first }),
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
  return placesOf(words, typed, matches).length > 0;
}

/** Where in the words the typed words stand side by side. */
function placesOf(
  words: readonly string[],
  typed: readonly string[],
  matches: (word: string, at: number) => boolean,
): readonly number[] {
  return [...words.keys()].filter((start) =>
    typed.every((_word, at) => {
      const word = words[start + at];
      return word !== undefined && matches(word, at);
    }),
  );
}

/** Whole titles and headings, and single words of them, which are offered when enough documents have them. */
function candidatesOf(live: readonly StoredDocument[]): readonly Candidate[] {
  const byKey = new Map<string, Candidate>();
  for (const document of live) {
    for (const field of COMPLETED_FIELDS) {
      for (const value of document.fields.get(field) ?? []) addPhrase(byKey, { document, value, field });
    }
  }
  return [...byKey.values()];
}

function isOffered({ source, documents }: Candidate): boolean {
  return source.whole || documents.size >= MIN_WORD_DOCUMENTS;
}

type Phrase = { readonly document: StoredDocument; readonly value: string; readonly field: string };

function addPhrase(byKey: Map<string, Candidate>, { document, value, field }: Phrase): void {
  if (Buffer.byteLength(value) > MAX_PHRASE_BYTES) return;
  const text = completedText(value);
  const words = phraseWords(text);
  const isTitle = field === 'Title';
  const documents = () => new Set([document]);
  if (words.length > 1) {
    const folded = words.map((word) => word.folded);
    addCandidate(byKey, { words: folded, documents: documents(), source: { whole: true, isTitle, text, first: 0 } });
  }
  for (const [first, { surface, folded }] of words.entries()) {
    const whole = words.length === 1;
    if (!whole && isStopWord(surface, document.language)) continue;
    addCandidate(byKey, { words: [folded], documents: documents(), source: { whole, isTitle, text, first } });
  }
}

function addCandidate(byKey: Map<string, Candidate>, found: Candidate): void {
  const key = found.words.join(' ');
  const known = byKey.get(key);
  if (known === undefined) {
    byKey.set(key, found);
    return;
  }
  for (const document of found.documents) known.documents.add(document);
  if (isShownBefore(found.source, known.source)) known.source = found.source;
}

/** Whole phrases, then titles, then the greater text, then the first place in it. */
function isShownBefore(a: Source, b: Source): boolean {
  if (a.whole !== b.whole) return a.whole;
  return a.isTitle === b.isTitle ? a.text > b.text : a.isTitle;
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
