import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler, Customer, Engine } from '../core/records.ts';
import type { AccountStore, RecordChange } from '../storage/system/accounts.ts';
import { type SiteIdentity, siteNameOf } from './add-site.ts';
import { PUBLIC_DEFAULTS } from './engine-settings.ts';
import { pagePathOf, publishedEngines } from './hosted-page.ts';
import { digestOf, last4Of } from './manage-keys.ts';
import { siteCrawlerSettings, siteEngineSettings } from './site-engine.ts';

const ACTOR = 'first-start';
const CUSTOMER = { id: 1, name: 'Demo' } as const;
const KEY_NAME = 'demo';
const SAMPLE = 'Sample site';
export type FirstStartDeps = {
  /** Links of answers lead to the place in the page; an existing front end expects addresses of documents. */
  readonly citationFragments: boolean;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  /** Checks settings of a crawler and fills in their defaults. */
  readonly parseCrawlerSettings: (sent: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The API key of the demo customer: the same at every start. */
  readonly demoKey: () => Promise<string>;
  /** What the site of the command line says of itself, as far as it can be known. */
  readonly identify: (site: string) => Promise<SiteIdentity>;
};

/** Where a newcomer begins. `apiKey` only when the customer is the demo's. */
export type StartingPoint = {
  readonly engine: Engine;
  /** Path of the engine's search page, `/` where it is the first one; undefined when none is published. */
  readonly pagePath: string | undefined;
  readonly crawler: Crawler | undefined;
  /** What the crawler begins with. */
  readonly seed: string | undefined;
  readonly apiKey: string | undefined;
};

/**
 * Gives an empty installation a customer with an engine and an active crawler over the sample site, and one more
 * engine and crawler for a site named on the command line. Doing it again changes nothing, but for a sample site
 * that moved to another port. Undefined when there is nothing to start from.
 */
export async function firstStart(
  deps: FirstStartDeps,
  input: { readonly sampleSeed: string; readonly site: string | undefined },
): Promise<StartingPoint | undefined> {
  await makeRecords(deps, input).catch((error: unknown) => {
    // On a full disk the start shows what is there.
    if (!(error instanceof AppError) || error.code !== 'storage.full') throw error;
  });
  return startingPoint(deps, input.site);
}

async function makeRecords(
  deps: FirstStartDeps,
  input: { readonly sampleSeed: string; readonly site: string | undefined },
): Promise<void> {
  const customers = await deps.accounts.listCustomers();
  const isDemo = customers.some(isDemoCustomer);
  if (customers.length === 0) await addCustomer(deps);
  if (customers.length > 0 && !isDemo) return;
  if (input.site !== undefined) await addSite(deps, input.site);
  await keepSample(deps, input);
}

async function addCustomer(deps: FirstStartDeps): Promise<void> {
  const key = await deps.demoKey();
  const changes: RecordChange[] = [
    { kind: 'put-customer', ...CUSTOMER },
    { kind: 'add-key', customerId: CUSTOMER.id, name: KEY_NAME, sha256: digestOf(key), last4: last4Of(key) },
  ];
  await deps.accounts.changeRecords(ACTOR, changes, deps.clock.now());
}

/**
 * A customer without any crawler gets the sample site. It lies under the api's own address, which another `PORT`
 * changes.
 */
async function keepSample(deps: FirstStartDeps, { sampleSeed: seed }: { readonly sampleSeed: string }): Promise<void> {
  const crawlers = await deps.accounts.listCrawlers({ customerId: CUSTOMER.id });
  const names = { name: SAMPLE, crawlerName: SAMPLE };
  if (crawlers.length === 0) return addEngine(deps, { ...names, language: 'en', crawler: crawlerSettings(seed) });
  const sample = crawlers.find(({ name, managedBy }) => name === SAMPLE && managedBy === undefined);
  if (sample === undefined || seedOf(sample) === seed) return;
  const config = deps.parseCrawlerSettings(crawlerSettings(seed));
  const change = { kind: 'put-crawler', id: sample.id, engineId: sample.engineId, name: sample.name, config } as const;
  await deps.accounts.changeRecords(ACTOR, [change], deps.clock.now());
}

async function addSite(deps: FirstStartDeps, site: string): Promise<void> {
  const crawlers = await deps.accounts.listCrawlers({ customerId: CUSTOMER.id });
  if (crawlers.some((crawler) => seedOf(crawler) === site)) return;
  const found = await deps.identify(site);
  const { host } = new URL(site);
  const language = found.language ?? 'en';
  const crawler = siteCrawlerSettings(crawlerSettings(site));
  await addEngine(deps, { name: siteNameOf(found, host), crawlerName: host, language, crawler });
}

type Members = Readonly<Record<string, unknown>>;
type StartingEngine = Pick<Engine, 'name' | 'language'> & { readonly crawlerName: string; readonly crawler: Members };

async function addEngine(deps: FirstStartDeps, starting: StartingEngine): Promise<void> {
  const { name, language, crawlerName } = starting;
  const { accounts, clock, citationFragments } = deps;
  const settings = siteEngineSettings({ name, citationFragments }, await accounts.listEngines());
  const engine: RecordChange = {
    kind: 'put-engine',
    customerId: CUSTOMER.id,
    name,
    language,
    settings,
    publicSettings: PUBLIC_DEFAULTS,
  };
  const [engineId = 0] = await accounts.changeRecords(ACTOR, [engine], clock.now());
  const config = deps.parseCrawlerSettings(starting.crawler);
  const crawler: RecordChange = { kind: 'put-crawler', engineId, name: crawlerName, config };
  const [id = 0] = await accounts.changeRecords(ACTOR, [crawler], clock.now());
  await accounts.changeRecords(ACTOR, [{ kind: 'set-crawler-active', id, active: true }], clock.now());
}

function crawlerSettings(seed: string): Members {
  return { seeds: [seed], domains: [new URL(seed).host] };
}

function seedOf(crawler: Crawler): string | undefined {
  const { seeds } = crawler.config as { seeds?: readonly string[] };
  return seeds?.[0];
}

async function startingPoint(deps: FirstStartDeps, site: string | undefined): Promise<StartingPoint | undefined> {
  const engines = await deps.accounts.listEngines();
  const crawlers = await deps.accounts.listCrawlers();
  const named = site === undefined ? undefined : crawlers.find((crawler) => seedOf(crawler) === site);
  const engine = engines.find(({ id }) => id === named?.engineId) ?? engines[0];
  if (engine === undefined) return undefined;
  const crawler = named ?? crawlers.find(({ engineId }) => engineId === engine.id);
  const seed = crawler === undefined ? undefined : seedOf(crawler);
  const pagePath = rootOrPath(engine, engines);
  return { engine, pagePath, crawler, seed, apiKey: await apiKeyOf(deps, engine.customerId) };
}

function rootOrPath(engine: Engine, engines: readonly Engine[]): string | undefined {
  const [first, ...others] = publishedEngines(engines);
  if (engine === first) return '/';
  return others.includes(engine) ? `/s/${pagePathOf(engine)}` : undefined;
}

/** The key of the demo customer while it opens anything; no other customer has one that could be shown. */
async function apiKeyOf(deps: FirstStartDeps, customerId: number): Promise<string | undefined> {
  const customers = await deps.accounts.listCustomers();
  if (!customers.some((customer) => customer.id === customerId && isDemoCustomer(customer))) return undefined;
  const key = await deps.demoKey();
  const known = await deps.accounts.findActiveKey(customerId, digestOf(key), deps.clock.now());
  return known === undefined ? undefined : key;
}

function isDemoCustomer({ id, name }: Customer): boolean {
  return id === CUSTOMER.id && name === CUSTOMER.name;
}
