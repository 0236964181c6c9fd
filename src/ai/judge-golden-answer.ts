import type { GoldenQuestion, GoldenResult } from '../storage/golden-question-store.ts';
import type { DryRunAnswer } from './dry-run-answer.ts';
import { holdsNugget } from './holds-nugget.ts';

/** Between pages, or words, of which one is enough. */
const OR = /\s+\|\s+/;

export type GoldenVerdict = Pick<GoldenResult, 'isRight' | 'missingPages' | 'missingTexts'>;

/** What an answer lacks of what the question asks for. A place in a page counts as the page. */
export function judgeGoldenAnswer(
  { mustCite, mustContain }: Pick<GoldenQuestion, 'mustCite' | 'mustContain'>,
  { text, refusal, cited }: Pick<DryRunAnswer, 'text' | 'refusal' | 'cited'>,
): GoldenVerdict {
  const pages = new Set(cited.map(({ url }) => pageOf(url)));
  const missingPages = mustCite.filter((wanted) => !wanted.split(OR).some((url) => pages.has(pageOf(url))));
  const missingTexts = mustContain.filter((wanted) => !holdsNugget(text, wanted.split(OR)));
  return {
    isRight: refusal === undefined && missingPages.length + missingTexts.length === 0,
    missingPages,
    missingTexts,
  };
}

function pageOf(url: string): string {
  return url.trim().replace(/#.*$/s, '');
}
