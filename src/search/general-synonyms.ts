import { readdirSync, readFileSync } from 'node:fs';
import { tableOf } from '../text/languages/packs.ts';
import { isStopWord } from '../text/stop-words.ts';
import { compileManySynonyms, compileSynonyms, type SynonymTable } from './synonyms.ts';

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
export function generalSynonyms(languages: readonly string[]): SynonymTable {
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
