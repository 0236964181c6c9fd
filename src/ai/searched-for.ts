import type { Ranking } from './ranking.ts';

/** The question and the words that were searched for in place of its own: whatever answers it has one of them. */
export function searchedFor({ question, terms }: Pick<Ranking, 'question' | 'terms'>): string {
  const others = terms.flatMap(({ alternatives }) => alternatives.filter(({ words }) => words.length === 1));
  return [question.text, ...others.flatMap(({ words }) => words)].join(' ');
}
