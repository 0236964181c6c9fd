import { AppError } from '../core/errors.ts';
import { yieldInBackgroundAfter } from '../core/yield.ts';
import { type Check, type Finding, type FindingName, finding } from './health.ts';

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
  'robot-wall',
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

/** Looks until all were looked at: one each five seconds makes 50 s. */
const LOOKS_PER_ROUND = 10;
/** So many cost little, and are all looked at each time. */
const LEAST_PER_LOOK = 100;
const SLICE_MS = 2;

/**
 * Looks at one of many after the other, a tenth of them in each look, so that a thousand cost what a hundred do. What has
 * findings is looked at each time: an operator who mends it waits for no round. One slice of 2 ms per turn of the loop.
 */
export function inRounds<Item extends { readonly id: number }>(
  look: (item: Item) => Promise<readonly Finding[]>,
): (items: readonly Item[]) => Promise<readonly Finding[]> {
  const known = new Map<number, readonly Finding[]>();
  let position = 0;
  return async (items) => {
    const share = Math.max(LEAST_PER_LOOK, Math.ceil(items.length / LOOKS_PER_ROUND));
    if (position >= items.length) position = 0;
    const next = items.slice(position, position + share);
    position += share;
    const chosen = new Set(next);
    const found = items.filter(({ id }) => (known.get(id)?.length ?? 0) > 0);
    for (const item of found.slice(0, share)) chosen.add(item);

    const nextSlice = yieldInBackgroundAfter(SLICE_MS);
    for (const item of chosen) {
      await nextSlice();
      known.set(item.id, await look(item));
    }
    const present = new Set(items.map(({ id }) => id));
    for (const id of known.keys()) if (!present.has(id)) known.delete(id);
    return [...known.values()].flat();
  };
}

type Named = { readonly id: number; readonly name: string };
type Engines = () => Promise<readonly Named[]>;

export type IndexDeps = {
  readonly engines: Engines;
  /** Why searches of an engine have no index to answer from; undefined = they have. */
  readonly repairOf: (engineId: number) => Promise<string | undefined>;
};

/** Engines without an index that was made of their store. One whose store cannot be opened is another check's. */
export function checkIndexes({ engines, repairOf }: IndexDeps): Check {
  const look = inRounds<Named>(async ({ id, name }) => {
    const cause = await repairOf(id).catch(() => undefined);
    if (cause === undefined) return [];
    return [
      finding('index-repair', {
        subject: `engine ${id}`,
        sentence: `The index of engine ${id} (${name}) is being made from its store (${cause}): its searches are answered with an error until that is done`,
        command: 'npx fossick status (and wait; the indexer must run)',
      }),
    ];
  });
  return { name: 'indexes', look: async () => look(await engines()) };
}

type Damaged = { readonly count: number; readonly first: readonly { readonly rid: number; readonly id: string }[] };

export type StoreDeps = {
  readonly engines: Engines;
  /** Rejects with what is wrong with a store that cannot be used. */
  readonly engineStores: { of(engineId: number): Promise<{ damagedDocuments(): Promise<Damaged> }> };
};

/** Stores that cannot be used, and documents that are damaged. */
export function checkStores({ engines, engineStores }: StoreDeps): Check {
  const look = inRounds<Named>(async (engine) => {
    try {
      const damaged = await (await engineStores.of(engine.id)).damagedDocuments();
      return damaged.count > 0 ? [damagedDocuments(engine, damaged)] : [];
    } catch (error) {
      if (error instanceof AppError && error.code === 'storage.unavailable') throw error;
      return [unusableStore(engine, error)];
    }
  });
  return { name: 'stores of engines', look: async () => look(await engines()) };
}

function unusableStore({ id, name }: Named, error: unknown): Finding {
  const isNewer = error instanceof AppError && error.code === 'storage.version-mismatch';
  const cause = error instanceof Error ? error.message : String(error);
  return finding('store-unusable', {
    subject: `engine ${id}`,
    sentence: `The store of engine ${id} (${name}) cannot be used (${cause}): its searches, pushes and crawls are refused, other engines go on`,
    command: isNewer ? 'start the newer program' : `stop the product, and: npx fossick restore <backup>`,
  });
}

function damagedDocuments({ id, name }: Named, { count, first }: Damaged): Finding {
  const ids = first.map((document) => document.id).join(', ');
  return finding('documents-damaged', {
    subject: `engine ${id}`,
    sentence: `Engine ${id} (${name}) has damaged documents, ${count} in all (${ids}): they are left out of searches until they are written again`,
    command: `npx fossick documents get ${id} ${first[0]?.rid ?? 0} (then push it or crawl it again)`,
  });
}
