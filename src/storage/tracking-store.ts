export const DEVICES = ['mobile', 'tablet', 'desktop', 'unknown'] as const;
export type Device = (typeof DEVICES)[number];

type EventBase = {
  /** UUID. */
  readonly id: string;
  readonly engineId: number;
  readonly at: number;
  /** Lower case with dashes. */
  readonly queryId: string;
  readonly sessionId: string | undefined;
  readonly ip: string | undefined;
  /** Everything else that was sent, by name. */
  readonly extra: Readonly<Record<string, string>>;
};

/** A committed search of a visitor. */
export type QueryEvent = EventBase & {
  readonly text: string;
  readonly resultCount: number | undefined;
  readonly fixedQuery: string | undefined;
  readonly device: Device;
  readonly querySessionId: string | undefined;
};

/** What a query event adds to the statistics of its engine. */
export type QueryCount = {
  /** Normal form (`core/normal-query.ts`). */
  readonly query: string;
  /** As the visitor wrote it, with one blank between words. */
  readonly spelling: string;
  /** Results of this very text: 0 when the visitor saw those of a corrected one. Undefined = unknown. */
  readonly ownResultCount: number | undefined;
};

/** A click on a hit, a banner, or what else the page reports. */
export type ClickEvent = EventBase & {
  /** `searchresult`, `banner`, or the text that was sent. */
  readonly kind: string;
  readonly url: string | undefined;
  /** From 1. */
  readonly rank: number | undefined;
  readonly bannerId: string | undefined;
  readonly title: string | undefined;
  readonly text: string | undefined;
};

const FEEDBACK_KINDS = ['answer', 'summary', 'result'] as const;
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

export const RATINGS = ['positive', 'negative'] as const;
export type Rating = (typeof RATINGS)[number];

export type Feedback = {
  readonly engineId: number;
  readonly kind: FeedbackKind;
  /** Exchange, summary or feedback id. */
  readonly key: string;
  readonly at: number;
  readonly rating: Rating | undefined;
  readonly reason: string | undefined;
  readonly comment: string | undefined;
  readonly language: string | undefined;
  /** The key (or the query id) is one that was issued here. */
  readonly matched: boolean;
  readonly extra: Readonly<Record<string, string>>;
};

/** A click on a source of an answer. */
export type AnswerClick = {
  readonly engineId: number;
  readonly conversationId: string;
  readonly exchangeId: string;
  readonly url: string;
  readonly at: number;
  readonly matched: boolean;
  readonly extra: Readonly<Record<string, string>>;
};

type Newest = { readonly engineId: number; readonly limit: number };

/**
 * Part of the port `SystemStore`: what visitors did. Promises:
 * - an event comes back exactly as it was stored; lists are of one engine, newest first;
 * - an event with a tally counts in popular queries, query pairs and sums per day from the same commit on, one without
 *   in none of them;
 * - the same query may be clicked any number of times: each click is an event;
 * - `mergeFeedback` keeps one record per (engine, kind, key): what is sent replaces, what is absent stays, `matched`
 *   once true stays true;
 * - `mergeRatedFeedback` does the same unless neither the input nor the record has a rating: then it resolves with
 *   false and changes nothing.
 */
export interface TrackingStore {
  addQueryEvent(event: QueryEvent, count: QueryCount | undefined): Promise<void>;
  addClickEvent(event: ClickEvent): Promise<void>;
  addAnswerClick(click: AnswerClick): Promise<void>;
  mergeFeedback(feedback: Feedback): Promise<void>;
  mergeRatedFeedback(feedback: Feedback): Promise<boolean>;
  listQueryEvents(input: Newest): Promise<readonly QueryEvent[]>;
  listClickEvents(input: Newest): Promise<readonly ClickEvent[]>;
  listAnswerClicks(input: Newest): Promise<readonly AnswerClick[]>;
  listFeedback(input: Newest): Promise<readonly Feedback[]>;
}
