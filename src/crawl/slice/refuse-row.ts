import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { HostTrust } from '../../storage/engine/host-trust.ts';
import { type CrawlRules, refuseSitemap } from '../rules/crawl-rules.ts';
import { isLeftOut } from '../rules/lastmod-trust.ts';
import { type Decision, decideLeftOut, decideSkipped } from '../visit/decision.ts';
import type { RobotsPolicy } from '../visit/robots-copies.ts';

/** What is known of a row's host. */
export type RowHost = { readonly policy: RobotsPolicy | undefined; readonly trust: HostTrust };

/** What scope says before a name is resolved or robots.txt is read; undefined for a URL to be visited. */
export function refuseByScope(row: DueRow, rules: CrawlRules, now: number): Decision | undefined {
  const { url, depth, record, runKind, closedBy } = row;
  const { kind } = record;
  if (kind === 'sitemap' || kind === 'feed') {
    const refusal = refuseSitemap(rules, { url, kind });
    return refusal && decideSkipped({ row, now }, refusal);
  }
  const verdict = rules.scope({ url, depth, queued: runKind === 'urls', knownUrls: 0, closedBy });
  return verdict.in ? undefined : decideSkipped({ row, now }, verdict);
}

/** Robots and the word of a trusted sitemap, before a slot is asked for; undefined for a URL to be visited. */
export function refuseRow(
  row: DueRow,
  rules: CrawlRules,
  { policy, trust, now }: RowHost & { readonly now: number },
): Decision | undefined {
  const robots = policy?.kind === 'rules' ? policy.judge(row.url) : undefined;
  if (robots?.allowed === false) {
    const { text = '', line } = robots.rule ?? {};
    return decideSkipped({ row, now }, { reason: 'robots', rule: text, line });
  }
  const { kind } = row.record;
  const isPage = kind === 'page' || kind === 'file';
  return isPage && isLeftOut(row, rules, { trust, now }) ? decideLeftOut({ row, rules, now }) : undefined;
}
