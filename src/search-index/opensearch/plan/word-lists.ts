import { stemTerm } from '../../../text/term-keys.ts';
import type { Json } from '../connection.ts';
import { encodeName, OF_FIELD } from '../index-layout.ts';

/** Words that stand together, or one; in the values of one field or in searched text. */
export type WordList = {
  readonly words: readonly string[];
  readonly slop: number;
  readonly field?: string | undefined;
};

/** Matches nothing and says so in the plan of the servers. */
export const NOTHING: Json = { match_none: {} };

/** Documents that have the words, each in the stem of the document's language. */
export function listQuery(list: WordList, languages: readonly string[]): Json {
  const groups = [...stemGroups(list.words, languages)].map(([, { stems, of }]): Json => {
    const query = stemsQuery(stems, list);
    return of.length === languages.length ? query : { bool: { filter: [query, { terms: { language: of } }] } };
  });
  return anyOf(groups);
}

export function anyOf(queries: readonly Json[]): Json {
  const [only] = queries;
  if (only === undefined) return NOTHING;
  return queries.length === 1 ? only : { bool: { should: queries, minimum_should_match: 1 } };
}

/** The term of a word by language; `''` for the languages that most share. */
export function termsByLanguage(word: string, languages: readonly string[]): Readonly<Record<string, string>> {
  const groups = [...stemGroups([word], languages).values()].sort((x, y) => y.of.length - x.of.length);
  const [most, ...others] = groups;
  return {
    '': most?.stems[0] ?? word,
    ...Object.fromEntries(others.flatMap(({ stems, of }) => of.map((language) => [language, stems[0] ?? word]))),
  };
}

type StemGroup = { readonly stems: readonly string[]; readonly of: string[] };

/** Languages that stem the words alike. */
function stemGroups(words: readonly string[], languages: readonly string[]): ReadonlyMap<string, StemGroup> {
  const groups = new Map<string, StemGroup>();
  for (const language of languages) {
    const stems = words.map((word) => stemTerm(word, language));
    const key = stems.join(' ');
    const group = groups.get(key) ?? { stems, of: [] };
    group.of.push(language);
    groups.set(key, group);
  }
  return groups;
}

function stemsQuery(stems: readonly string[], { slop, field }: WordList): Json {
  const [only = ''] = stems;
  if (stems.length === 0) return NOTHING;
  if (field === undefined) {
    if (stems.length === 1) return { term: { terms: only } };
    return anyOf(['a', 'b', 'c'].map((textClass) => together(textClass, stems, slop)));
  }
  const named = stems.map((stem) => encodeName(field) + OF_FIELD + stem);
  const inField = together('named', named, slop);
  // Values of class C are those of this field, and only these.
  return field === 'Content' ? anyOf([together('c', stems, slop), inField]) : inField;
}

/** In this order within one value. */
function together(field: string, terms: readonly string[], slop: number): Json {
  const [only = ''] = terms;
  if (terms.length === 1) return { term: { [field]: only } };
  const match = { query: terms.join(' '), analyzer: 'whitespace', ordered: true, max_gaps: slop };
  return { intervals: { [field]: { match } } };
}
