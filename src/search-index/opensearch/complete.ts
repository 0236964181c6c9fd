import { compareCodePoints } from '../../core/compare-text.ts';
import {
  type Completion,
  type CompletionOptions,
  type Completions,
  type Continuation,
  MAX_CONTINUATIONS,
  MAX_FUZZY_FORMS,
  MIN_TYPO_CHARS,
  MIN_WORD_DOCUMENTS,
  NO_COMPLETIONS,
  phraseWords,
  typedWords,
} from '../completions.ts';
import { type CompletionForm, isShownBefore, parseForm } from './completion-fields.ts';
import { escapeRegex, oneEdit } from './edit-patterns.ts';
import type { Engine } from './engine.ts';
import { surfaceBuckets } from './fuzzy-terms.ts';
import { PART } from './index-layout.ts';

/** A title or heading, or a word of them, with its live documents. */
type Candidate = { readonly words: readonly string[]; readonly documents: number; readonly form: CompletionForm };

const END = escapeRegex(PART);
/** Words before or behind others of a completion. */
const BEFORE = `([^${PART}]* )?`;
const BEHIND = `( [^${PART}]*)?`;
const REST_OF_WORDS = `[^${PART}]*`;
const REST_OF_WORD = `[^ ${PART}]*`;
/** A longer word has no corrections: its regular expression grows with the square, at 100 characters to a second. */
const MAX_TYPO_CHARS = 50;
/** Forms of a misspelt word that completions are looked for with. */
const MAX_FORMS_SOUGHT = 100;

/** Completions of a typed text by the rules of `Completions`. Two to five requests. */
export async function completeText(
  engine: Engine,
  text: string,
  { limit, except }: CompletionOptions,
): Promise<Completions> {
  const typed = typedWords(text);
  const last = typed.at(-1);
  if (last === undefined) return NO_COMPLETIONS;
  const excluded = new Set(except.map(keyOf));
  const isNew = ({ form }: Candidate) => !excluded.has(form.key);
  const fitting = await candidatesOf(engine, BEFORE + escapeRegex(typed.join(' ')) + REST_OF_WORDS);
  const offered = fitting.filter(isOffered);
  const exact = offered.filter(isNew);
  const beginning = typed.length === 1 ? fitting : await candidatesOf(engine, escapeRegex(last) + REST_OF_WORD);
  const fuzzy = exact.length === 0 ? await fuzzyForms(engine, typed) : undefined;
  const corrected = fuzzy === undefined ? [] : (await correctedBy(engine, typed, fuzzy)).filter(isNew);
  return {
    total: exact.length,
    items: bestOf(exact, limit, typed),
    correctedTotal: corrected.length,
    corrected: bestOf(corrected, limit, typed, fuzzy),
    fuzzy: fuzzy && { word: fuzzy.word, forms: fuzzy.forms.slice(0, MAX_FUZZY_FORMS) },
    continuations: continuationsOf(typed, { offered, beginning }),
  };
}

function keyOf(text: string): string {
  return phraseWords(text)
    .map(({ folded }) => folded)
    .join(' ');
}

/** Words alone are offered when enough documents have them. */
function isOffered({ form, documents }: Candidate): boolean {
  return form.isWhole || documents >= MIN_WORD_DOCUMENTS;
}

/** Completions whose folded words fit a regular expression. */
async function candidatesOf(engine: Engine, words: string): Promise<readonly Candidate[]> {
  const include = `${words}${END}.*`;
  const buckets = await surfaceBuckets(
    engine,
    { regexp: { completions: { value: include } } },
    { field: 'completions', include },
  );
  const byKey = new Map<string, { documents: number; form: CompletionForm }>();
  for (const { key: printed, doc_count } of buckets) {
    const form = parseForm(printed);
    const known = byKey.get(form.key);
    if (known === undefined) byKey.set(form.key, { documents: doc_count, form });
    else {
      known.documents += doc_count;
      if (isShownBefore(form, known.form)) known.form = form;
    }
  }
  return [...byKey.values()].map((candidate) => ({ ...candidate, words: candidate.form.key.split(' ') }));
}

function bestOf(
  candidates: readonly Candidate[],
  limit: number,
  typed: readonly string[],
  fuzzy?: FuzzyWord,
): readonly Completion[] {
  const begins = ({ words }: Candidate) => Number(fitsAt(words, 0, typed, fuzzy));
  const best = candidates.toSorted(
    (a, b) =>
      b.documents - a.documents ||
      begins(b) - begins(a) ||
      a.words.length - b.words.length ||
      compareCodePoints(a.form.key, b.form.key),
  );
  return best.slice(0, limit).map(({ documents, form }) => ({ text: form.text, documents }));
}

/** Whether the typed words stand in the words from a place on, the misspelt one in any of its forms. */
function fitsAt(words: readonly string[], start: number, typed: readonly string[], fuzzy?: FuzzyWord): boolean {
  return typed.every((wanted, at) => {
    const word = words[start + at];
    if (word === undefined) return false;
    if (at === fuzzy?.at) return fuzzy.forms.includes(word);
    return at === typed.length - 1 ? word.startsWith(wanted) : word === wanted;
  });
}

/** The typed word that may be misspelt, and the words that it may stand for, those of most documents first. */
type FuzzyWord = { readonly at: number; readonly word: string; readonly forms: readonly string[] };

async function fuzzyForms(engine: Engine, typed: readonly string[]): Promise<FuzzyWord | undefined> {
  const known = await knownWords(engine, typed.slice(0, -1));
  const unknown = typed.slice(0, -1).flatMap((word, at) => (known.has(word) ? [] : [at]));
  const at = unknown[0] ?? typed.length - 1;
  const word = typed[at] ?? '';
  if (unknown.length > 1 || word.length < MIN_TYPO_CHARS || word.length > MAX_TYPO_CHARS) return undefined;
  const isPrefix = at === typed.length - 1;
  const found = await candidatesOf(engine, `(${oneEdit(word)})${isPrefix ? REST_OF_WORD : ''}`);
  const fitting = found.filter(({ form: { key } }) => (isPrefix ? !key.startsWith(word) : key !== word));
  if (fitting.length === 0) return undefined;
  const ordered = fitting.toSorted((a, b) => b.documents - a.documents || compareCodePoints(a.form.key, b.form.key));
  return { at, word, forms: ordered.map(({ form }) => form.key).slice(0, MAX_FORMS_SOUGHT) };
}

/** Those of the words that titles and headings have. */
async function knownWords(engine: Engine, words: readonly string[]): Promise<ReadonlySet<string>> {
  if (words.length === 0) return new Set();
  const any = words.map(escapeRegex).join('|');
  const found = await candidatesOf(engine, `${BEFORE}(${any})${BEHIND}`);
  return new Set(found.flatMap((candidate) => candidate.words));
}

async function correctedBy(engine: Engine, typed: readonly string[], { at, forms }: FuzzyWord) {
  const any = `(${forms.map(escapeRegex).join('|')})`;
  const words = typed.map((word, place) => (place === at ? any : escapeRegex(word))).join(' ');
  const found = await candidatesOf(engine, BEFORE + words + (at === typed.length - 1 ? BEHIND : REST_OF_WORDS));
  return found.filter(isOffered);
}

type Known = { readonly offered: readonly Candidate[]; readonly beginning: readonly Candidate[] };

/** What stands last where several typed words stand side by side, or else any word that begins so. */
function continuationsOf(typed: readonly string[], { offered, beginning }: Known) {
  const singles = new Map(
    beginning.flatMap(({ words, documents, form }) => (words.length === 1 ? [[form.key, documents] as const] : [])),
  );
  const counts = new Map<string, number>();
  for (const { words, documents } of typed.length === 1 ? [] : offered) {
    for (const start of words.keys()) {
      const word = words[start + typed.length - 1];
      if (word === undefined || !fitsAt(words, start, typed) || !singles.has(word)) continue;
      counts.set(word, (counts.get(word) ?? 0) + documents);
    }
  }
  const last = typed.at(-1) ?? '';
  const anywhere = [...singles].filter(([word]) => word.startsWith(last));
  return [...(counts.size > 0 ? counts : anywhere)]
    .map(([word, documents]): Continuation => ({ word, documents }))
    .sort((a, b) => b.documents - a.documents || compareCodePoints(a.word, b.word))
    .slice(0, MAX_CONTINUATIONS);
}
