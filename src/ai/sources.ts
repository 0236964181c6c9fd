import type { Passage } from '../search/passage.ts';
import type { AnswerLength } from './composer.ts';
import { estimateTokens } from './token-estimate.ts';

export type SourceBudget = {
  readonly passages: number;
  /** Estimated tokens of all texts together. */
  readonly tokens: number;
};

/** What a composer gets at most (answers design 7.2). */
export const SOURCE_BUDGETS = {
  extractive: {
    concise: { passages: 2, tokens: Number.POSITIVE_INFINITY },
    comprehensive: { passages: 4, tokens: Number.POSITIVE_INFINITY },
  },
  model: {
    concise: { passages: 4, tokens: 1_200 },
    comprehensive: { passages: 8, tokens: 3_000 },
  },
  /** Without a model, of all sources together. */
  summary: {
    concise: { passages: 10, tokens: Number.POSITIVE_INFINITY },
    comprehensive: { passages: 15, tokens: Number.POSITIVE_INFINITY },
  },
} as const satisfies Record<'extractive' | 'model' | 'summary', Record<AnswerLength, SourceBudget>>;

/** Passages of one document, so that an answer does not hang on a single page … */
const PER_DOCUMENT = 2;
/** … unless hardly another one was found. */
const PER_DOCUMENT_OF_FEW = 4;
const FEW_DOCUMENTS = 2;

/**
 * Numbers the passages that an answer may cite, best first. Consecutive passages of a document are one source, at the
 * place of the best of them. One that does not fit the budget whole is left out: a cut passage invites a wrong
 * citation. Empty only for no passages, or none that fits.
 */
export function selectSources(ranked: readonly Passage[], { passages: most, tokens }: SourceBudget): readonly Source[] {
  const perDocument = documentsOf(ranked) <= FEW_DOCUMENTS ? PER_DOCUMENT_OF_FEW : PER_DOCUMENT;
  const groups: Passage[][] = [];
  let [passages, remaining] = [0, tokens];
  for (const passage of ranked) {
    if (passages === most) break;
    const siblings = groups.flat().filter(({ rid }) => rid === passage.rid).length;
    const cost = estimateTokens(passage.text);
    if (siblings === perDocument || cost > remaining) continue;
    addTo(groups, passage);
    passages++;
    remaining -= cost;
  }
  return groups.flatMap(([first, ...more], index) =>
    first === undefined ? [] : [{ reference: index + 1, passages: [first, ...more] as const }],
  );
}

/**
 * One source for each document of a summary, numbered by its place in the request, in the order of the request. The
 * budget is shared evenly: a long first document leaves room for the last one. Passages stand in page order.
 */
export function selectSummarySources(
  documents: readonly { readonly reference: number; readonly ranked: readonly Passage[] }[],
  { passages, tokens }: SourceBudget,
): readonly Source[] {
  const share = {
    passages: Math.max(1, Math.floor(passages / Math.max(1, documents.length))),
    tokens: tokens / Math.max(1, documents.length),
  };
  return documents.flatMap(({ reference, ranked }) => {
    const [first, ...more] = inPageOrder(fitting(ranked, share));
    return first === undefined ? [] : [{ reference, passages: [first, ...more] as const }];
  });
}

function documentsOf(passages: readonly Passage[]): number {
  return new Set(passages.map(({ rid }) => rid)).size;
}

/** Joins the passage to its neighbours; two groups that it connects become one, at the place of the better. */
function addTo(groups: Passage[][], passage: Passage): void {
  const [home, other] = groups.filter((group) => group.some((member) => areConsecutive(member, passage)));
  if (home === undefined) {
    groups.push([passage]);
    return;
  }
  home.push(passage, ...(other ?? []));
  home.sort((a, b) => a.ordinal - b.ordinal);
  if (other !== undefined) groups.splice(groups.indexOf(other), 1);
}

function areConsecutive(a: Passage, b: Passage): boolean {
  return a.rid === b.rid && a.field === b.field && Math.abs(a.ordinal - b.ordinal) === 1;
}

function fitting(ranked: readonly Passage[], { passages, tokens }: SourceBudget): readonly Passage[] {
  const chosen: Passage[] = [];
  let remaining = tokens;
  for (const passage of ranked) {
    const cost = estimateTokens(passage.text);
    if (chosen.length === passages || cost > remaining) continue;
    chosen.push(passage);
    remaining -= cost;
  }
  return chosen;
}

function inPageOrder(passages: readonly Passage[]): readonly Passage[] {
  return passages.toSorted((a, b) => a.ordinal - b.ordinal);
}

/** One numbered text of an answer: a passage, or consecutive passages of one document. */
export type Source = {
  /** What markers `[n]` of composers name, from 1. */
  readonly reference: number;
  readonly passages: readonly [Passage, ...Passage[]];
};
