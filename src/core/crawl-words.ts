/**
 * Closed sets of the crawler that stores keep as small integers: the position is the code. Words are only added at
 * the end; none is renamed, moved or removed.
 */
export const URL_KINDS = ['page', 'file', 'sitemap', 'feed'] as const;
export type UrlKind = (typeof URL_KINDS)[number];

export const URL_STATES = ['known', 'live', 'alias', 'duplicate', 'suspected', 'gone', 'skipped', 'failed'] as const;
export type UrlState = (typeof URL_STATES)[number];

export const URL_ORIGINS = ['seed', 'link', 'sitemap', 'feed', 'queued', 'redirect', 'canonical'] as const;
export type UrlOrigin = (typeof URL_ORIGINS)[number];

/** What is to be done with a frontier row: HTTP, browser, parser pool. */
export const STAGES = ['page', 'render', 'file'] as const;
export type Stage = (typeof STAGES)[number];

export const RUN_KINDS = ['full', 'incremental', 'urls'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export const RUN_STATES = ['planned', 'running', 'paused', 'finishing', 'finished', 'stopped', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const OUTCOMES = [
  'added',
  'changed',
  'unchanged',
  'not-modified',
  'aliased',
  'skipped',
  'suspected',
  'removed',
  'failed',
  'deferred',
  'discarded',
  'absent',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Why a visit ended as it did; sentence and advice of each: `crawl/rules/reasons.ts`. */
export const REASONS = [
  'none',
  'dns-temporary',
  'dns-not-found',
  'refused',
  'reset',
  'truncated',
  'protocol',
  'server-error',
  'timeout',
  'tls',
  'rate-limited',
  'forbidden',
  'not-found',
  'gone',
  'client-error',
  'redirect-loop',
  'too-many-redirects',
  'redirected-out',
  'blocked-address',
  'blocked-port',
  'scheme',
  'unsupported-type',
  'too-large',
  'bomb',
  'bad-encoding',
  'malformed',
  'encrypted',
  'over-limit',
  'unparsable',
  'render-failed',
  'host-held',
  'no-slot',
  'robots-unreachable',
  'shutdown',
  'crashed',
  'lease-lost',
  'inactive',
  'stopped',
  'run-limit',
  'out-of-domain',
  'excluded',
  'not-included',
  'too-long',
  'too-deep',
  'page-limit',
  'trap',
  'nofollow',
  'file-type',
  'robots',
  'noindex',
  'expired',
  'follow-only',
  'canonical',
  'canonical-broken',
  'canonical-shared',
  'canonical-elsewhere',
  'redirect',
  'duplicate',
  'soft-404',
  'login-wall',
  'identical-pages',
  'needs-confirmation',
  'empty',
  'required-field',
  'thin',
  'removal-suspected',
  'removal-held',
  'removed',
  'undone',
  'pushed-protected',
  'new',
  'content-changed',
  'same-content',
  'not-modified',
  'lastmod-unchanged',
  'list-shrunk',
  'type-changed',
  'start-probe',
  'private-name',
  'unreadable-type',
  'robot-wall',
  'cut-short',
] as const;
export type Reason = (typeof REASONS)[number];

/**
 * Kinds of signals for a removal: 404 or 410 · the page says so itself · another URL stands for it · settings ·
 * what only looks like a missing page.
 */
export const REMOVAL_CLASSES = ['hard', 'directive', 'moved', 'operator', 'soft'] as const;
export type RemovalClass = (typeof REMOVAL_CLASSES)[number];

/** `held`: the document stays until an operator decides · `removed`: it left and is kept for a while · `undone`. */
export const REMOVAL_STATES = ['held', 'removed', 'undone'] as const;
export type RemovalState = (typeof REMOVAL_STATES)[number];

/** Bits of `frontier.flags`. */
export const FRONTIER_FLAGS = {
  /** No validators: the caller says that the page has changed. */
  force: 1,
  /** Links of the page are followed. */
  follow: 2,
  /** Queued while it was leased: visited once more. */
  again: 4,
  /** Second look before a removal. */
  confirm: 8,
  /** Its processes died three times: last of the run. */
  alone: 16,
  /** Asked for whatever its sitemap says of the last change. */
  ask: 128,
} as const;
