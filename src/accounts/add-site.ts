import { z } from 'zod';
import { invalidRequest } from '../core/errors.ts';
import type { Crawler, Engine } from '../core/records.ts';
import { type ChangeDeps, changeRecords, LANGUAGE, RECORD_ID, RECORD_NAME, requireRecord } from './account-change.ts';
import { PUBLIC_DEFAULTS } from './engine-settings.ts';
import { parseStrictly, problemAt } from './problems.ts';
import type { ParseCrawlerSettings } from './provision-file.ts';
import { siteCrawlerSettings, siteEngineSettings } from './site-engine.ts';

/** What a site says of itself. */
export type SiteIdentity = { readonly language: string | undefined; readonly siteName: string | undefined };

/** What is at the address. */
export type FoundSite = SiteIdentity & {
  /** Where it led; undefined when there is nothing to crawl. */
  readonly address: string | undefined;
  readonly problem: { readonly cause: string; readonly advice: string | null } | undefined;
};

export type AddSiteDeps = ChangeDeps & {
  readonly parseCrawlerSettings: ParseCrawlerSettings;
  readonly citationFragments: boolean;
  readonly probe: (url: string, settings: Readonly<Record<string, unknown>>) => Promise<FoundSite>;
};

const RULES = z.array(z.string()).optional();

/** `settings`: those of a crawler, beside its seed. */
export const NEW_SITE = z.strictObject({
  url: z.string().trim().min(1).max(8_000),
  customer: RECORD_ID.optional().describe('Needed where there are several.'),
  name: RECORD_NAME.optional().describe('Of the engine; else the name of the site.'),
  language: LANGUAGE.optional().describe('Of the engine; else that of its first pages.'),
  scope: z.strictObject({ include: RULES, exclude: RULES }).optional(),
  settings: z.record(z.string(), z.unknown()).default({}).describe('Settings of the crawler beside its seed.'),
  probe: z.boolean().default(true).describe('False: the address is taken as it is, and nothing is looked at.'),
});

type NewSite = z.infer<typeof NEW_SITE>;

/**
 * Makes an engine that answers questions, with a published search page, and an inactive crawler for the address, in the
 * language and by the name of the site.
 * @throws AppError `request.invalid`, also when there is nothing at the address
 */
export async function addSite(
  deps: AddSiteDeps,
  { actor, sent }: { readonly actor: string; readonly sent: unknown },
): Promise<{ readonly engine: Engine; readonly crawler: Crawler }> {
  const site = parseStrictly(NEW_SITE, sent);
  const customerId = await customerOf(deps, site);
  const asked = { ...site.settings, ...site.scope };
  const found = await findSite(deps, site, asked);
  const seed = found.address ?? site.url;
  const config = deps.parseCrawlerSettings({ ...siteCrawlerSettings(asked), seeds: [seed] }, []);
  const host = URL.parse(seed)?.host ?? seed;
  const name = site.name ?? siteNameOf(found, host);
  const language = site.language ?? found.language ?? 'en';
  const settings = siteEngineSettings(
    { name, citationFragments: deps.citationFragments },
    await deps.store.listEngines(),
  );
  const [engineId = 0] = await changeRecords(deps, actor, [
    { kind: 'put-engine', customerId, name, language, settings, publicSettings: PUBLIC_DEFAULTS, seen: 'none' },
  ]);
  const [id = 0] = await changeRecords(deps, actor, [
    { kind: 'put-crawler', engineId, name: host, config, seen: 'none' },
  ]);
  return {
    engine: requireRecord('engine', engineId, await deps.store.findEngine(engineId)),
    crawler: requireRecord('crawler', id, await deps.store.findCrawler(id)),
  };
}

async function customerOf({ store }: AddSiteDeps, { customer }: NewSite): Promise<number> {
  if (customer !== undefined) {
    if ((await store.findCustomer(customer)) !== undefined) return customer;
    throw invalidRequest([problemAt(['customer'], `there is no customer ${customer}`)]);
  }
  const [first, ...others] = await store.listCustomers();
  if (first === undefined) throw invalidRequest([problemAt(['customer'], 'there is none yet: make one first')]);
  if (others.length === 0) return first.id;
  const names = [first, ...others].map(({ id, name }) => `${id} (${name})`).join(', ');
  throw invalidRequest([problemAt(['customer'], `must be one of ${names}`)]);
}

const NOT_LOOKED_AT: FoundSite = { address: undefined, problem: undefined, language: undefined, siteName: undefined };

async function findSite(deps: AddSiteDeps, { url, probe }: NewSite, settings: Readonly<Record<string, unknown>>) {
  if (!probe) return NOT_LOOKED_AT;
  const found = await deps.probe(url, settings);
  if (found.problem === undefined) return found;
  const { cause, advice } = found.problem;
  throw invalidRequest([problemAt(['url'], advice === null ? cause : `${cause} ${advice}`)]);
}

const MAX_NAME_CHARS = 60;

/** The name that the site gives itself, unless it is a whole sentence. */
export function siteNameOf({ siteName }: Pick<SiteIdentity, 'siteName'>, host: string): string {
  return siteName === undefined || siteName.length > MAX_NAME_CHARS ? host.replace(/^www\./, '') : siteName;
}
