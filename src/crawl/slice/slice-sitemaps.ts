import type { Clock } from '../../core/clock.ts';
import { originOf } from '../../core/url.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { SitemapStore } from '../../storage/engine/sitemaps.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { sitemapsOf } from '../rules/host-sitemaps.ts';
import type { RobotsPolicy } from '../visit/robots-copies.ts';

export type SliceSitemaps = {
  /** At the first page of a host in a run: puts the sitemaps of the host on the frontier, once a run. */
  begin(row: DueRow, rules: CrawlRules, policy: RobotsPolicy | undefined): Promise<unknown> | undefined;
};

export function openSitemaps(
  deps: { readonly store: Pick<SitemapStore, 'addSitemaps'>; readonly clock: Clock },
  input: { readonly crawlerId: number; readonly activation: number },
): SliceSitemaps {
  const begun = new Set<string>();
  return {
    begin: (row, rules, policy) => {
      const origin = originOf(row.url) ?? '';
      const position = `${row.runId} ${origin}`;
      if (rules.settings.sitemaps !== 'auto' || row.runKind === 'urls' || begun.has(position)) return undefined;
      begun.add(position);
      const lists = sitemapsOf(origin, rules, policy?.kind === 'rules' ? policy.sitemaps : []);
      const { runId } = row;
      return lists.length === 0
        ? undefined
        : deps.store.addSitemaps({ ...input, runId, now: deps.clock.now(), foundOn: null, lists });
    },
  };
}
