import { URL_ORIGINS, URL_STATES } from '../../core/crawl-words.ts';
import { keyOfUrl } from '../../core/url.ts';
import type { NewUrl } from '../frontier-store.ts';
import type { CloseRule } from '../pattern-store.ts';
import { closedFor, isSample, type PatternState, patternStatements } from './patterns.ts';
import { REFUSED } from './refused-state.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

const NAMED_ORIGINS = (['seed', 'sitemap', 'feed', 'queued'] as const).map((origin) => URL_ORIGINS.indexOf(origin));
const KEPT_STATES = (['live', 'suspected'] as const).map((state) => URL_STATES.indexOf(state));

/** Inside a write. Only links are refused: what a seed, a list or the API names is wanted, targets stand for a page. */
export function isRefused(
  db: SqliteDatabase,
  url: NewUrl & { readonly pattern: PatternState },
  { foundOn }: { readonly foundOn: number | null },
): boolean {
  if (url.origin !== 'link') return false;
  if (url.isTrap === true) return true;
  return closedFor(db, url.pattern, foundOn) !== undefined;
}

/** Inside a write: a link to a URL that was refused before may be named by a better page now. */
export function isRefusedAgain(
  db: SqliteDatabase,
  known: { readonly state: number; readonly reason: number; readonly pattern_id: number | null },
  url: NewUrl,
  input: { readonly foundOn: number | null },
): boolean | undefined {
  if (url.enqueue === 'always' || known.state !== REFUSED.state || known.reason !== REFUSED.reason) return undefined;
  const pattern = db.firstOf(patternStatements.state, { id: known.pattern_id ?? 0 });
  return pattern === undefined || isRefused(db, { ...url, pattern }, input);
}

type WaitingUrl = {
  readonly url: string;
  readonly origin: number;
  readonly state: number;
  readonly run_kind: string;
  readonly run_created_at: number;
  readonly pattern_id: number | null;
  readonly pattern_closed_at: number | null;
  readonly found_on: number | null;
};

/**
 * Inside a write: the rule that keeps a waiting row from being visited. Named ahead of others means that a list, a
 * seed or the API asked for it; pages with a document are kept up.
 */
export function closedByOf(
  db: SqliteDatabase,
  url: WaitingUrl,
  row: { readonly runId: number; readonly priority: number; readonly failures: number },
): CloseRule | undefined {
  if (url.pattern_closed_at === null || url.pattern_id === null || url.run_kind === 'urls') return undefined;
  const isNamed = NAMED_ORIGINS.includes(url.origin) || (row.priority <= 1 && row.failures === 0);
  if (isNamed || KEPT_STATES.includes(url.state)) return undefined;
  // The run that closed the pattern has seen enough of it.
  const isLater = url.run_created_at > url.pattern_closed_at;
  if (isLater && isSample(keyOfUrl(url.url), row.runId)) return undefined;
  const pattern = db.firstOf(patternStatements.state, { id: url.pattern_id });
  return pattern === undefined ? undefined : closedFor(db, pattern, url.found_on);
}
