import { readdirSync, readFileSync } from 'node:fs';
import type { Engine } from '../core/records.ts';
import { idf, maxEditsOf } from '../search-index/relevance.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { foldWord } from '../text/folding.ts';
import { tableOf } from '../text/languages/packs.ts';
import { possibleLastParts } from '../text/morphological-variants.ts';
import { spellingsOf } from '../text/spellings.ts';
import { isPaired } from '../text/stem-hashes.ts';
import { isStopWord } from '../text/stop-words.ts';
import { bigramTerm } from '../text/term-keys.ts';
import type { PassageQuery, QuestionTerm, QuestionWord, WordAlternative } from './passage.ts';
import { customerSynonyms, type QueryReaderDeps } from './query/read-query.ts';
import { compileManySynonyms, compileSynonyms, type SynonymTable } from './synonyms.ts';

export type QuestionTermDeps = QueryReaderDeps & {
  readonly searchIndex: Pick<SearchIndex, 'documentFrequencies' | 'fuzzyTerms' | 'languages'>;
};

export type QuestionTermInput = {
  readonly engine: Engine;
  readonly question: PassageQuery;
  /** Live documents of the engine. */
  readonly documents: number;
  readonly signal: AbortSignal;
};

/** Shares of what stands for a word (answers design 4). */
const WEIGHTS = {
  also: 0.8,
  synonym: 0.6,
  fuzzy: 0.85,
  joined: 0.8,
  spelling: 0.9,
  form: 0.9,
  /** Found on the tuning halves (decision 81): words of a thesaurus mean the same in some of their senses. */
  related: 0.4,
  /** The last part of a compound: what it is a kind of. */
  part: 0.7,
} as const;
/** What is left of alternatives of words that say little. */
const SMALL_WORD_RATIO = 0.4;
/** Words of a smaller factor say little. */
const SMALL_FACTOR = 0.5;
const MIN_WEIGHT = 0.3;
/** Of the heaviest possible word: what nothing has. */
const UNSEEN_RATIO = 0.9;
/** From this length on a word without documents is looked for under near spellings. */
const MIN_FUZZY_CHARS = 5;
const FUZZY_TERMS = 5;
const MAX_ALTERNATIVES = 12;

type Draft = { readonly word: QuestionWord; readonly alternatives: WordAlternative[] };

/**
 * The words of a question with their weights in an engine, and what else satisfies them: synonyms of the customer and
 * of general language, forms of the word, related words, spellings, words written as one, and for words that no
 * document has the nearest one; of a compound its last part. Looks some ten words up for each of the question.
 */
export async function findQuestionTerms(
  deps: QuestionTermDeps,
  input: QuestionTermInput,
): Promise<readonly QuestionTerm[]> {
  const { engine, question, documents, signal } = input;
  const languages = await deps.searchIndex.languages(engine.id);
  const spoken = [...new Set([...languages, question.language])];
  const tables = [await customerSynonyms(deps, engine), generalSynonyms(spoken)];
  const drafts = question.words.map((word): Draft => ({ word, alternatives: [] }));
  const byText = new Map(drafts.map((draft) => [draft.word.text, draft]));
  for (const draft of drafts) for (const text of draft.word.also ?? []) addAlternative(draft, [text], 'also');
  addJoined(byText, question.written);
  for (const table of tables) addGroups(byText, question.written, { table, kind: 'synonym' });
  for (const language of spoken) {
    addGroups(byText, question.written, { table: await wordGroups('word-forms', language), kind: 'form' });
    addGroups(byText, question.written, { table: await wordGroups('thesaurus', language), kind: 'related' });
  }
  for (const draft of drafts) addSpellings(draft, languages);
  const frequencies = await frequenciesOf(deps, engine.id, drafts, question.language);
  for (const draft of drafts) addLastPart(draft, question.language, frequencies);
  const isKnown = ({ words }: WordAlternative) => words.every((word) => (frequencies.get(word) ?? 0) > 0);
  return Promise.all(
    drafts.map(async ({ word, alternatives }) => {
      const known = alternatives.filter(isKnown).slice(0, MAX_ALTERNATIVES);
      const frequency = frequencies.get(word.text) ?? 0;
      const fuzzy = frequency > 0 ? undefined : await fuzzyTerm(deps, word.text, { engineId: engine.id, signal });
      const all = fuzzy === undefined ? known : [...known, fuzzy.alternative];
      const stands = fuzzy?.documents ?? frequencies.get(all[0]?.words[0] ?? '');
      return termOf(word, { documents, frequency, alternatives: all, standInFrequency: stands });
    }),
  );
}

type Found = {
  readonly documents: number;
  readonly frequency: number;
  readonly alternatives: readonly WordAlternative[];
  /** Documents of what stands for a word that none has; undefined = nothing does. */
  readonly standInFrequency: number | undefined;
};

function termOf({ text, factor }: QuestionWord, found: Found): QuestionTerm {
  const { documents, frequency, alternatives, standInFrequency } = found;
  const isUnseen = frequency === 0;
  const counted = isUnseen ? standInFrequency : frequency;
  const weight =
    counted === undefined ? UNSEEN_RATIO * idf(documents, 1) : idf(documents, Math.min(counted, documents));
  const share = factor < SMALL_FACTOR ? SMALL_WORD_RATIO : 1;
  const weighted = alternatives.map((alternative) => ({ ...alternative, weight: alternative.weight * share }));
  return { text, weight: Math.max(MIN_WEIGHT, weight) * factor, isUnseen, alternatives: weighted };
}

/** An entry of several words stands for each of those of the question that it covers. */
function addGroups(
  byText: ReadonlyMap<string, Draft>,
  written: readonly string[],
  { table, kind }: { readonly table: SynonymTable | undefined; readonly kind: 'synonym' | 'form' | 'related' },
): void {
  for (let at = 0; at < written.length; ) {
    const found = table?.findAt(written, at);
    for (const text of written.slice(at, at + (found?.length ?? 0))) {
      for (const { words } of found?.others ?? []) addAlternative(byText.get(text), words, kind);
    }
    at += found?.length ?? 1;
  }
}

function addJoined(byText: ReadonlyMap<string, Draft>, written: readonly string[]): void {
  for (const [index, first] of written.entries()) {
    const second = written[index + 1];
    if (second === undefined || isPaired(first)) continue;
    for (const text of [first, second]) addAlternative(byText.get(text), [first + second], 'joined');
  }
}

function addSpellings(draft: Draft, languages: readonly string[]): void {
  for (const language of languages) {
    for (const spelling of spellingsOf(draft.word.text, language)) addAlternative(draft, [spelling], 'spelling');
    for (const plain of plainDegrees(draft.word.text, language)) addAlternative(draft, [plain], 'fuzzy');
  }
}

/** What a superlative may be of, which stemmers leave as it is: `safest`, `largest`, `biggest`, `easiest`. */
function plainDegrees(word: string, language: string): readonly string[] {
  const base = language === 'en' ? /^(\p{L}{3,})est$/u.exec(word)?.[1] : undefined;
  if (base === undefined) return [];
  if (base.endsWith('i')) return [base.replace(/i$/, 'y')];
  return [`${base}e`, base, base.replace(/(\p{L})\1$/u, '$1')];
}

/** The longest end of the word that documents know. */
function addLastPart(draft: Draft, language: string, frequencies: ReadonlyMap<string, number>): void {
  const parts = possibleLastParts(draft.word.text, language);
  const known = parts.find((part) => (frequencies.get(part) ?? 0) > 0);
  if (known !== undefined) addAlternative(draft, [known], 'part');
}

function addAlternative(draft: Draft | undefined, words: readonly string[], kind: keyof typeof WEIGHTS): void {
  const isSame = (others: readonly string[]) => others.join(' ') === words.join(' ');
  if (draft === undefined || words.length === 0 || isSame([draft.word.text])) return;
  const isSynonym = kind === 'synonym';
  const known = draft.alternatives.findIndex((other) => isSame(other.words));
  const same = draft.alternatives[known];
  if (same === undefined) draft.alternatives.push({ words, weight: WEIGHTS[kind], isSynonym });
  else if (isSynonym) draft.alternatives[known] = { ...same, isSynonym };
}

async function frequenciesOf(
  { searchIndex }: QuestionTermDeps,
  engineId: number,
  drafts: readonly Draft[],
  language: string,
): Promise<ReadonlyMap<string, number>> {
  const all = drafts.flatMap(({ word, alternatives }) => [word.text, ...alternatives.flatMap(({ words }) => words)]);
  const lastParts = drafts.flatMap(({ word }) => possibleLastParts(word.text, language));
  const words = [...new Set([...all, ...lastParts])];
  const counts = await searchIndex.documentFrequencies(engineId, words.map(indexTerm));
  return new Map(words.map((word, index) => [word, counts[index] ?? 0]));
}

/** Pairs of characters stand in the index under a term of their own. */
function indexTerm(word: string): string {
  return isPaired(word) && word.length > 1 ? bigramTerm(word) : word;
}

async function fuzzyTerm(
  { searchIndex }: QuestionTermDeps,
  word: string,
  { engineId, signal }: { readonly engineId: number; readonly signal: AbortSignal },
) {
  const folded = foldWord(word);
  const maxDistance = maxEditsOf(folded);
  if (maxDistance === 0 || folded.length < MIN_FUZZY_CHARS) return undefined;
  const options = { maxDistance, limit: FUZZY_TERMS, isBackground: true };
  const fuzzy = await searchIndex.fuzzyTerms(engineId, folded, options, signal);
  const best = fuzzy.find(({ text }) => text[0] === folded[0]);
  if (best === undefined) return undefined;
  return { documents: best.documents, alternative: { words: [best.display], weight: WEIGHTS.fuzzy, isSynonym: false } };
}

/**
 * Words that questions and pages of all subjects use for the same thing. No vocabulary of a product: such words lift
 * the questions they were chosen on by 12 points and others by none (answers design 4). Groups are separated by `|`.
 */
const GROUPS = tableOf('synonyms');

const groups = Object.entries(GROUPS).flatMap(([language, list]) =>
  list.split('|').map((group) => ({ id: 0, customerId: 0, language, words: group.split(',') })),
);
const synonymTables = new Map<string, SynonymTable>();

/** The groups of some languages; made once per choice of them. */
function generalSynonyms(languages: readonly string[]): SynonymTable {
  const known = languages.filter((language) => language in GROUPS).toSorted();
  const key = known.join(' ');
  const table = synonymTables.get(key) ?? compileSynonyms(groups, known);
  synonymTables.set(key, table);
  return table;
}

/**
 * Words that mean nearly the same, and forms of one word that no stemmer brings together: a file per language, a group
 * per line, `#` before a remark. Entries of `thesaurus` are parted by commas, those of `word-forms` by blanks.
 */
const FOLDERS = { thesaurus: ',', 'word-forms': ' ' } as const;
export type WordGroups = keyof typeof FOLDERS;

const groupTables = new Map<string, Promise<SynonymTable> | undefined>();

/** The groups of a language, read when they are first asked for, in turns; undefined = there are none. */
export async function wordGroups(kind: WordGroups, language: string): Promise<SynonymTable | undefined> {
  const key = `${kind}/${language}`;
  if (!groupTables.has(key))
    groupTables.set(key, languagesOf(kind).has(language) ? compile(kind, language) : undefined);
  return groupTables.get(key);
}

const languages = new Map<WordGroups, ReadonlySet<string>>();

function languagesOf(kind: WordGroups): ReadonlySet<string> {
  const names = () => readdirSync(new URL(`${kind}/`, import.meta.url)).map((name) => name.replace('.txt', ''));
  const known = languages.get(kind) ?? new Set(names());
  languages.set(kind, known);
  return known;
}

/** A lone stop word stands for nothing: nearly every text has it. */
function compile(kind: WordGroups, language: string): Promise<SynonymTable> {
  const text = readFileSync(new URL(`${kind}/${language}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const groups = lines.map((line) => line.split(FOLDERS[kind]).map((entry) => entry.trim()));
  const said = groups.map((words) => words.filter((word) => !isStopWord(word, language)));
  return compileManySynonyms(
    said.map((words) => ({ id: 0, customerId: 0, language, words })),
    [language],
  );
}
