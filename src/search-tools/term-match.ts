import { matchesWildcard } from '../core/wildcard.ts';

/**
 * Makes a test for the terms that a query calls up: the whole query, trimmed, inner blanks folded to one, without
 * regard to case, equals the term; in a term `*` stands for any text, `?` for one character. Contract: 2.10.
 */
export function termMatcher(query: string): (term: string) => boolean {
  const folded = fold(query);
  const chars = [...folded];
  return (term) => {
    const pattern = fold(term);
    return WILDCARD.test(pattern) ? matchesWildcard([...pattern], chars) : pattern === folded;
  };
}

type Termed = { readonly id: number; readonly terms: readonly { readonly name: string }[] };

/** Finds the records that a query calls up, by ascending id. */
export type FindByTerm<T extends Termed> = (query: string) => readonly T[];

/** Folds all terms once: a look-up costs the terms with wildcards, whatever the number of the others. */
export function indexTerms<T extends Termed>(records: readonly T[]): FindByTerm<T> {
  const plain = new Map<string, Set<T>>();
  const patterns: { readonly pattern: readonly string[]; readonly record: T }[] = [];
  for (const record of records) {
    for (const { name } of record.terms) {
      const folded = fold(name);
      if (WILDCARD.test(folded)) patterns.push({ pattern: [...folded], record });
      else plain.set(folded, (plain.get(folded) ?? new Set()).add(record));
    }
  }
  return (query) => {
    const folded = fold(query);
    const chars = [...folded];
    const fitting = patterns.filter(({ pattern }) => matchesWildcard(pattern, chars)).map(({ record }) => record);
    return [...new Set([...(plain.get(folded) ?? []), ...fitting])].sort((a, b) => a.id - b.id);
  };
}

const WILDCARD = /[*?]/;

function fold(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}
