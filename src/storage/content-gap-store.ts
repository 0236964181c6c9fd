/** What says that the content lacks something, the strongest first. */
export const GAP_SIGNALS = ['refused', 'rated-negative', 'degraded', 'without-results', 'without-click'] as const;
export type GapSignal = (typeof GAP_SIGNALS)[number];

/** A question, or a search without results, that the content may not answer. */
export type GapQuestion = {
  readonly signal: GapSignal;
  /** As it was asked; a follow-up as it was understood. */
  readonly question: string;
  /** `''` = not known. */
  readonly language: string;
  /** Why it was refused. */
  readonly reason: string | undefined;
  readonly at: number;
  /** The same for what one visitor asked, as far as the page told. */
  readonly visitor: string;
};

/**
 * Part of the port `SystemStore`: what visitors asked in vain. Promises:
 * - answers that were refused, rated negative or lost half of their claims, and searches that found nothing, are
 *   listed, each under its strongest signal;
 * - an answer with citations that nobody followed or rated is listed as `without-click`;
 * - an answer that was rated positive, or whose citation was followed without a negative rating, is not;
 * - both are of one engine and of `[from, to)`; the newest come first, at most `limit` of each.
 */
export interface ContentGapStore {
  listGapQuestions(input: {
    readonly engineId: number;
    readonly from: number;
    readonly to: number;
    readonly limit: number;
  }): Promise<readonly GapQuestion[]>;
}
