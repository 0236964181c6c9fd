import type { DueRow } from '../../storage/frontier-store.ts';
import type { HostTrust } from '../../storage/host-trust.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { isLeftOut } from '../rules/lastmod-trust.ts';
import { refuseList } from '../rules/list-scope.ts';
import { decideLeftOut, decideSkipped } from '../visit/decide-skipped.ts';
import type { Decision } from '../visit/decision.ts';
import type { RobotsPolicy } from '../visit/robots-copies.ts';

/** What is known of a row's host. */
export type RowHost = { readonly policy: RobotsPolicy | undefined; readonly trust: HostTrust };

/** Scope, robots and the word of a trusted sitemap, before a slot is asked for; undefined for a URL to be visited. */
export function refuseRow(
  row: DueRow,
  rules: CrawlRules,
  { policy, trust, now }: RowHost & { readonly now: number },
): Decision | undefined {
  const refusal = scopeRefusal(row, rules);
  if (refusal !== undefined) return decideSkipped({ row, now }, refusal);
  const robots = policy?.kind === 'rules' ? policy.judge(row.url) : undefined;
  if (robots?.allowed === false) {
    const { text = '', line } = robots.rule ?? {};
    return decideSkipped({ row, now }, { reason: 'robots', rule: text, line });
  }
  const { kind } = row.record;
  const isPage = kind === 'page' || kind === 'file';
  return isPage && isLeftOut(row, rules, { trust, now }) ? decideLeftOut({ row, rules, now }) : undefined;
}

function scopeRefusal(row: DueRow, rules: CrawlRules) {
  const { url, depth, record, runKind, closedBy } = row;
  if (record.kind === 'sitemap' || record.kind === 'feed') return refuseList(rules, { url, kind: record.kind });
  const verdict = rules.scope({ url, depth, queued: runKind === 'urls', knownUrls: 0, closedBy });
  return verdict.in ? undefined : verdict;
}
