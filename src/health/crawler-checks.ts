import { type Finding, type FindingName, finding } from './finding.ts';
import type { Check } from './health.ts';
import { inRounds } from './in-rounds.ts';

/** What is known of a crawler that works. */
type Crawler = { readonly id: number; readonly managedBy: string | undefined };

export type CrawlerFaults = {
  readonly hosts: readonly {
    readonly origin: string;
    readonly cause: string;
    readonly why: string;
    readonly heldUntil: number | undefined;
  }[];
  readonly seedsOutside: readonly {
    readonly seed: string;
    readonly reason: string;
    readonly why: string;
    readonly rule: string;
  }[];
  readonly privateNames: readonly { readonly origin: string; readonly sentence: string; readonly command: string }[];
  readonly settings: string | undefined;
  readonly access: string | undefined;
  readonly heldRemovals: number;
  readonly closed: { readonly sentence: string; readonly command: string } | undefined;
  readonly leftPages: { readonly sentence: string; readonly setting: string } | undefined;
  readonly failedRun: { readonly id: number; readonly why: string } | undefined;
};

export type CrawlerDeps<Listed extends Crawler> = {
  readonly activeCrawlers: () => Promise<readonly Listed[]>;
  readonly faultsOf: (crawler: Listed) => Promise<CrawlerFaults>;
};

/** A look at 100 crawlers takes 50 ms on an idle machine, and goes on between requests. */
const WITHIN_MS = 60_000;
const MOST_FINDINGS = 1_000;

export function checkCrawlers<Listed extends Crawler>({ activeCrawlers, faultsOf }: CrawlerDeps<Listed>): Check {
  const look = inRounds<Listed>(async (crawler) =>
    faultsOf(crawler).then((faults) => findingsOf(crawler, faults), unread(crawler)),
  );
  return {
    name: 'crawlers',
    withinMs: WITHIN_MS,
    look: async () => (await look(await activeCrawlers())).slice(0, MOST_FINDINGS),
  };
}

/** One crawler that cannot be read hides no other. */
function unread({ id }: Crawler): (error: unknown) => readonly Finding[] {
  return (error) => [
    finding('check-failed', {
      subject: `crawler ${id}`,
      sentence: `What crawler ${id} does cannot be read (${error instanceof Error ? error.message : String(error)})`,
      command: `fossick crawler status ${id}`,
    }),
  ];
}

function findingsOf(crawler: Crawler, faults: CrawlerFaults): readonly Finding[] {
  return [
    ...settingFindings(crawler, faults),
    ...faults.hosts.map((host) => hostFinding(crawler, host)),
    ...faults.privateNames.map(({ origin, sentence, command }) =>
      finding('name-private', { subject: `crawler ${crawler.id} ${origin}`, sentence, command }),
    ),
    ...workFindings(crawler, faults),
    ...siteFindings(crawler, faults),
  ];
}

function settingFindings(crawler: Crawler, { settings, seedsOutside }: CrawlerFaults): readonly Finding[] {
  const unreadable = settings === undefined ? [] : [settings];
  return [
    ...unreadable.map((why) =>
      finding('crawler-settings', {
        subject: `crawler ${crawler.id}`,
        sentence: `Settings of crawler ${crawler.id} cannot be read (${why}): it does not work`,
        command: toSet(crawler, '<member>=<value>'),
      }),
    ),
    ...seedsOutside.map(({ seed, reason, why, rule }) =>
      finding('seed-out-of-scope', {
        subject: `crawler ${crawler.id} ${seed}`,
        sentence: `The seed ${seed} of crawler ${crawler.id} is never visited: ${why}${rule === '' ? '' : ` (${rule})`}`,
        command: toSet(crawler, SCOPE_CHANGES[reason] ?? `'seeds=[…]'`),
      }),
    ),
  ];
}

/** What lets a seed in, by the reason that keeps it out. */
const SCOPE_CHANGES: Readonly<Record<string, string>> = {
  'out-of-domain': `'domains=[]'`,
  excluded: `'exclude=[…]'`,
  'not-included': `'include=[]'`,
};

function hostFinding(crawler: Crawler, { origin, cause, why, heldUntil }: CrawlerFaults['hosts'][number]): Finding {
  const subject = `crawler ${crawler.id} ${origin}`;
  if (cause === 'dns-not-found') {
    const sentence = `The host of ${origin} does not exist: crawler ${crawler.id} reads nothing there, its documents stay`;
    return finding('host-unknown', { subject, sentence, command: toSet(crawler, `'seeds=[…]'`) });
  }
  if (cause === 'no-slot') {
    const sentence = `Pages of ${origin} are due and crawler ${crawler.id} starts nothing there: ${why}`;
    return finding('host-stalled', { subject, sentence, command: 'fossick ps' });
  }
  const until = heldUntil === undefined ? '' : ` until ${new Date(heldUntil).toISOString()}`;
  const name: FindingName = STRANGE.has(cause) ? 'host-strange' : cause === 'rate-limited' ? 'host-held' : 'host-down';
  return finding(name, {
    subject,
    sentence: `${origin} is left alone by crawler ${crawler.id}${until}: ${why} Its documents stay`,
    command: `fossick crawler release-host ${crawler.id} ${origin}`,
  });
}

const STRANGE: ReadonlySet<string> = new Set([
  'start-probe',
  'identical-pages',
  'login-wall',
  'soft-404',
  'forbidden',
  'empty',
  'type-changed',
]);

function workFindings({ id }: Crawler, { access, heldRemovals, failedRun }: CrawlerFaults): readonly Finding[] {
  const found: Finding[] = [];
  const subject = `crawler ${id}`;
  if (access !== undefined) {
    const sentence = `Crawler ${id} does not get in (${access}): its runs are paused`;
    const command = `fossick crawler resume ${id} (when its login or secret is right again; one that did not change is tried ten minutes after its refusal)`;
    found.push(finding('login-failed', { subject, sentence, command }));
  }
  if (heldRemovals > 0) {
    const sentence = `${heldRemovals} documents of crawler ${id} wait to leave, more than may go at once: they are still found`;
    const command = `fossick crawler removals ${id} --groups (then approve-removals or undo-removals)`;
    found.push(finding('removals-held', { subject, sentence, command }));
  }
  if (failedRun !== undefined) {
    const sentence = `Run ${failedRun.id} of crawler ${id} failed (${failedRun.why})`;
    found.push(finding('run-failed', { subject, sentence, command: `fossick crawler run ${id}` }));
  }
  return found;
}

function siteFindings(crawler: Crawler, { closed, leftPages }: CrawlerFaults): readonly Finding[] {
  const found: Finding[] = [];
  const subject = `crawler ${crawler.id}`;
  if (closed !== undefined) found.push(finding('site-closed', { subject, ...closed }));
  if (leftPages !== undefined) {
    const { sentence, setting } = leftPages;
    found.push(finding('page-limit', { subject, sentence, command: toSet(crawler, setting) }));
  }
  return found;
}

/** What a file manages is changed there. */
function toSet({ id, managedBy }: Crawler, change: string): string {
  if (managedBy === undefined) return `fossick crawler set ${id} ${change}`;
  return `fossick apply (after ${change} of crawler ${id} is right in ${managedBy})`;
}
