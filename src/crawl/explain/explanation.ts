import type { Outcome, Reason, UrlOrigin } from '../../core/crawl-words.ts';
import type { DocumentOrigin } from '../../core/document.ts';

export type UrlVerdict = 'searchable' | 'stored' | 'waiting' | 'not-indexed' | 'removed' | 'unknown';

export const EXPLAIN_STEPS = [
  'normal-form',
  'scope',
  'discovery',
  'robots',
  'frontier',
  'fetch',
  'render',
  'directives',
  'canonical',
  'duplicate',
  'extract',
  'document',
  'index',
] as const;
export type StepName = (typeof EXPLAIN_STEPS)[number];

/** `stop`: here the way of the URL into the index ends · `note`: worth knowing. */
export type ExplainedStep = {
  readonly step: StepName;
  readonly result: 'pass' | 'stop' | 'note';
  readonly reason: Reason | undefined;
  /** Rule, line, status …; JSON values. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: number | undefined;
};

export type ExplainedVisit = {
  readonly at: number;
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly status: number | undefined;
  readonly bytes: number;
  readonly millis: number;
};

/** What became of a URL, and why (crawling 23). Times are epoch milliseconds. */
export type UrlExplanation = {
  readonly url: string;
  readonly normalForm: string | undefined;
  readonly verdict: UrlVerdict;
  readonly reason: Reason;
  readonly cause: string;
  readonly advice: string | null;
  readonly steps: readonly ExplainedStep[];
  /** `path`: referrers back to where the crawler began, nearest first, at most 20. */
  readonly foundBy: { readonly origin: UrlOrigin | 'none'; readonly path: readonly string[]; readonly inlinks: number };
  /** Newest 8. */
  readonly visits: readonly ExplainedVisit[];
  readonly aliasOf: string | undefined;
  readonly duplicateOf: string | undefined;
  readonly pattern: { readonly text: string; readonly closedBy: string | undefined; readonly render: string };
  readonly next: { readonly at: number | undefined; readonly why: string };
  readonly document: ExplainedDocument | undefined;
};

export type ExplainedDocument = {
  readonly id: string;
  readonly rid: number;
  readonly seq: number;
  readonly origin: DocumentOrigin;
  readonly updatedAt: number;
  readonly visibleSeq: number;
};
