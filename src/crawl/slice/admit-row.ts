import { originOf } from '../../core/url.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import { type HostTrust, NO_TRUST } from '../../storage/engine/host-trust.ts';
import { type CrawlRules, refuseSitemap } from '../rules/crawl-rules.ts';
import { isLeftOut } from '../rules/lastmod-trust.ts';
import { unlearned } from '../rules/politeness.ts';
import { type Decision, decideLeftOut, decideSkipped } from '../visit/decision.ts';
import type { RobotsPolicy } from '../visit/robots-copies.ts';
import { probedHost } from './probe-slice.ts';
import { recordRefused } from './record-visit.ts';
import type { HostKey, PreparedHost } from './slice-dispatcher.ts';
import { type Admission, inBackground, type SliceState } from './slice-state.ts';

/** From due to admitted: what is refused is recorded at once, and asks no host. */
export const ADMISSION: Admission = { prepareHost, isInScope, admit };

async function prepareHost(slice: SliceState, { hostId, origin }: HostKey): Promise<PreparedHost> {
  if (slice.input.stage === 'file') return UNPACED;
  const { rules, robots, login } = slice.compiled;
  const host = await slice.readHost(hostId);
  if (host === undefined) return 'held';
  const prepared = await slice.hosts.prepare(host, rules, robots);
  if (prepared === 'held') return prepared;
  slice.policies.set(origin, await robots.of(origin, slice.watch.fetches));
  slice.trusts.set(hostId, host.trust);
  if (slice.input.stage !== 'page' || slice.input.lane === 0) return prepared;
  const of = { crawlerId: slice.crawler.id, host, pace: prepared.pace, rules, robots, login };
  return probedHost({ ...slice.deps, store: slice.store, runs: slice.runs }, of, slice.watch.starts);
}

/** What is outside is recorded at once. */
function isInScope(slice: SliceState, row: DueRow): boolean {
  const decision = refuseByScope(row, slice.compiled.rules, slice.deps.clock.now());
  if (decision !== undefined) inBackground(slice, recordRefused(slice, row, decision));
  return decision === undefined;
}

/** What may not or need not be visited is recorded at once. */
function admit(slice: SliceState, row: DueRow): boolean {
  const { rules } = slice.compiled;
  const policy = slice.policies.get(originOf(row.url) ?? '');
  const begun = slice.lists.begin(row, rules, policy);
  if (begun !== undefined) inBackground(slice, begun.then(slice.dispatcher.notify));
  const trust = slice.trusts.get(row.hostId) ?? NO_TRUST;
  const decision = refuseRow(row, rules, { policy, trust, now: slice.deps.clock.now() });
  if (decision !== undefined) inBackground(slice, recordRefused(slice, row, decision));
  const heldUntil = decision === undefined ? slice.templateGate?.heldUntil(row) : undefined;
  if (heldUntil !== undefined)
    inBackground(slice, slice.store.returnLeases(slice.lane, [{ urlId: row.urlId, dueAt: heldUntil }]));
  return decision === undefined && heldUntil === undefined;
}

/** What is known of a row's host. */
type RowHost = { readonly policy: RobotsPolicy | undefined; readonly trust: HostTrust };

/** What scope says before a name is resolved or robots.txt is read; undefined for a URL to be visited. */
function refuseByScope(row: DueRow, rules: CrawlRules, now: number): Decision | undefined {
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
function refuseRow(
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

/** Rows of a host that such a stage leases ahead: enough for every parser of a process. */
const UNPACED_SLOTS = 16;
const UNPACED: PreparedHost = { pace: unlearned({ slots: UNPACED_SLOTS, spacingMs: 0 }) };
