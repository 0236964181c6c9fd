import type { RateLimit } from '../core/rate-store.ts';
import type { RateClass } from './route-table.ts';

/** What the operator decides about the HTTP edge. Contract: 1.5, 1.6, 1.9, 2.11, 4.3. */
export type ApiSettings = {
  /** `eu` accepts customers below 10,000,000, `us` those from there on. */
  readonly region: 'any' | 'eu' | 'us';
  /** `['*']` = every origin. */
  readonly corsAllowedOrigins: readonly string[];
  readonly corsManagement: boolean;
  readonly publicSettingsAllowBasic: boolean;
  readonly publicSettingsAllowAnonymous: boolean;
  /** Whether search pages of engines that are published are served. */
  readonly searchPage: boolean;
  /** Addresses or networks (`10.0.0.0/8`) whose `X-Forwarded-For` tells the caller of a rate limit; `[]` = nobody's. */
  readonly trustedProxies: readonly string[];
  readonly rates: Readonly<Record<RateClass, RateLimit>>;
  readonly maxBodyBytes: number;
  readonly maxDocumentsBytes: number;
  readonly maxDocumentsPerRequest: number;
  readonly maxPathsPerRequest: number;
  readonly maxResultWindow: number;
  /** Estimated milliseconds of processor time that one search may cost; 0 = any. */
  readonly maxSearchCostMs: number;
  readonly maxQuestionChars: number;
  /** Behind every deadline of an answer's own: when even those fail, the request ends. */
  readonly answerDeadlineMs: number;
  /** `['Service']` names `Service-Conversation-Id` and its likes. */
  readonly streamHeaderPrefixes: readonly string[];
  /** `['data-search']` names `data-search-result` and its likes in `JsonHtml` answers. */
  readonly htmlHookPrefixes: readonly string[];
};
