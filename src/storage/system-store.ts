import type { StoreIdentity } from '../core/store-identity.ts';
import type { AccountStore } from './account-store.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { GoldenQuestionStore } from './golden-question-store.ts';
import type { HostHoldStore } from './host-store.ts';
import type { BackupStore, ClockStore, LeaseStore } from './installation-store.ts';
import type { PopularQueryStore } from './popular-query-store.ts';
import type { ToolStore } from './tool-store.ts';

/**
 * Port: accounts, settings, tools, tracking, conversations, golden questions, holds of hosts and leases of an installation. System of
 * record. Promises of every part:
 * - a write resolves after its commit is on disk, and is all or nothing; concurrent writes are serialised;
 * - `changeToken` differs from an earlier one whenever another connection has committed since;
 * - a full disk is `storage.full`: nothing is written, reads go on, writes work again when there is room.
 */
export interface SystemStore
  extends AccountStore,
    LeaseStore,
    BackupStore,
    ClockStore,
    ToolStore,
    TrackingStore,
    PopularQueryStore,
    StatisticsStore,
    ConversationStore,
    ContentGapStore,
    GoldenQuestionStore,
    HostHoldStore,
    AsyncDisposable {
  identity(): Promise<StoreIdentity>;
  /** Gives the store a new epoch: whatever was made of it before does not belong to it any more. */
  startEpoch(): Promise<StoreIdentity>;
  /** Grows with every commit that is visible here; for snapshots that are dropped when it changes. */
  changeToken(): number;
  /** The value stored under a name of `meta`, made and stored once when there is none. */
  rememberOnce(name: string, make: () => string): Promise<string>;
}

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

/** Sums over searches that count. */
export type SearchCounterColumns = {
  readonly searches: number;
  /** Searches whose page stated how many results it showed. */
  readonly withResultCount: number;
  /** Those of them that showed none. */
  readonly withoutResults: number;
  /** Searches with at least one click on a result. */
  readonly clicked: number;
  /** Clicks on results. */
  readonly clicks: number;
  /** Those of them that stated their rank. */
  readonly rankedClicks: number;
  readonly rankSum: number;
};

/** `day` counts days since 1970 in UTC. */
export type SearchDay = SearchCounterColumns & {
  readonly day: number;
  readonly device: Device;
  readonly bannerClicks: number;
};

/** `query` in normal form (`core/normal-query.ts`). */
export type QueryDay = SearchCounterColumns & { readonly day: number; readonly query: string; readonly device: Device };

type Days = { readonly engineId: number; readonly fromDay: number; readonly toDay: number };

/**
 * Part of the port `SystemStore`: what the logs of an engine add up to. Promises:
 * - a search counts on the day and device of its event, a click on those of its search, whichever came first; a click
 *   on a search that was not logged, or does not count, is in no sum; a search logged again under its query id is one;
 * - both lists are of the days from `fromDay` to `toDay`, in order of day (then query) and device; they are indexed
 *   reads of what they return. `listQueryDays` goes on behind `after`;
 * - `spellingsOf` gives the most frequent spelling of each query, and the query itself for one that is not known;
 * - `dropTracking` drops what is older than `before`: at most `limit` rows of each log with what they added to popular
 *   queries, pairs last seen and sums of days that ended before. It resolves with true while there is more.
 */
export interface StatisticsStore {
  listSearchDays(input: Days): Promise<readonly SearchDay[]>;
  listQueryDays(
    input: Days & { readonly after?: Pick<QueryDay, 'day' | 'query' | 'device'> | undefined; readonly limit: number },
  ): Promise<readonly QueryDay[]>;
  spellingsOf(engineId: number, queries: readonly string[]): Promise<readonly string[]>;
  dropTracking(input: { readonly engineId: number; readonly before: number; readonly limit: number }): Promise<boolean>;
}

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
