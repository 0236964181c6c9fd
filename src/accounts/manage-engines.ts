import { z } from 'zod';
import { hideSecrets } from '../core/crawler-secrets.ts';
import { invalidRequest } from '../core/errors.ts';
import {
  type Engine,
  type EngineSettings,
  FACET_DIRECTIONS,
  FACET_OPERATORS,
  FACET_ORDERS,
  type FacetConfig,
  type PublicSettings,
} from '../core/records.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import type { Quicklink, ToolStore } from '../storage/system/tools.ts';
import {
  type ChangeDeps,
  changeAsOperator,
  LANGUAGE,
  RECORD_ID,
  RECORD_NAME,
  refuseManaged,
  refuseTaken,
  requireRecord,
} from './account-change.ts';
import { HOSTED_PAGE, refuseTakenPage } from './hosted-page.ts';
import { check, parseStrictly, problemAt } from './problems.ts';
import type { ParseCrawlerSettings } from './provision-file.ts';

export type RemovalDeps = ChangeDeps & { readonly engineStores: Pick<EngineStores, 'remove'> };

type Members = Readonly<Record<string, unknown>>;

const MEMBERS = z.record(z.string(), z.unknown());
/** Besides these an engine has the members of its settings. */
export const NEW_ENGINE = z.looseObject({
  id: RECORD_ID.optional(),
  customer: RECORD_ID,
  name: RECORD_NAME,
  language: LANGUAGE.default('en'),
  publicSettings: MEMBERS.default({}),
});
export const CHANGED_ENGINE = z.looseObject({
  name: RECORD_NAME.optional(),
  language: LANGUAGE.optional(),
  publicSettings: MEMBERS.default({}),
});

/** @throws AppError `request.invalid`, also for an unknown customer · `record.conflict` when the id is taken */
export async function addEngine(deps: ChangeDeps, sent: unknown): Promise<Engine> {
  const { id, customer, name, language, publicSettings, ...members } = parseStrictly(NEW_ENGINE, sent);
  if ((await deps.store.findCustomer(customer)) === undefined) {
    throw invalidRequest([problemAt(['customer'], `there is no customer ${customer}`)]);
  }
  if (id !== undefined) refuseTaken('engine', id, await deps.store.findEngine(id));
  const read = readSettings({ members, publicSettings, beside: Object.keys(NEW_ENGINE.shape) });
  await refuseTakenPage(deps.store, { name, settings: read.settings });
  const [made = 0] = await changeAsOperator(deps, [
    {
      kind: 'put-engine',
      customerId: customer,
      name,
      language,
      ...read,
      ...(id !== undefined && { id }),
      seen: 'none',
    },
  ]);
  return requireRecord('engine', made, await deps.store.findEngine(made));
}

/**
 * Changes the members that were sent (RFC 7396): `null` brings back a default.
 * @throws AppError `request.invalid` · `record.not-found` · `record.managed` · `record.conflict` when somebody else has
 * changed the engine meanwhile
 */
export async function changeEngine(deps: ChangeDeps, id: number, sent: unknown): Promise<Engine> {
  const engine = requireRecord('engine', id, await deps.store.findEngine(id));
  refuseManaged('engine', engine);
  const changed = parseStrictly(CHANGED_ENGINE, sent);
  const { name = engine.name, language = engine.language, publicSettings, ...members } = changed;
  const settings = readSettings({
    members: mergePatch({ ...engine.settings }, members),
    publicSettings: mergePatch({ ...engine.publicSettings }, publicSettings),
    beside: Object.keys(CHANGED_ENGINE.shape),
  });
  await refuseTakenPage(deps.store, { id, name, settings: settings.settings });
  await changeAsOperator(deps, [
    { kind: 'put-engine', id, customerId: engine.customerId, name, language, ...settings, seen: engine },
  ]);
  return { ...engine, name, language, ...settings };
}

/**
 * Removes the engine with its crawlers, search tools, tracking and documents.
 * @throws AppError `record.not-found` · `record.managed`, also for a crawler of the engine
 */
export async function removeEngine(deps: RemovalDeps, id: number): Promise<void> {
  const engine = requireRecord('engine', id, await deps.store.findEngine(id));
  refuseManaged('engine', engine);
  for (const crawler of await deps.store.listCrawlers({ engineId: id })) refuseManaged('crawler', crawler);
  await changeAsOperator(deps, [{ kind: 'remove-engine', id }]);
  await deps.engineStores.remove(id);
}

type SentSettings = {
  readonly members: Members;
  readonly publicSettings: Members;
  readonly beside: readonly string[];
};

function readSettings({ members, publicSettings, beside }: SentSettings): {
  readonly settings: EngineSettings;
  readonly publicSettings: PublicSettings;
} {
  const settings = check(ENGINE_SETTINGS, members, { beside });
  const shown = check(PUBLIC_SETTINGS, publicSettings, { path: ['publicSettings'] });
  if (settings.isRight && shown.isRight) return { settings: settings.value, publicSettings: shown.value };
  throw invalidRequest([settings, shown].flatMap((checked) => (checked.isRight ? [] : checked.problems)));
}

/** Facets may nest this deep: each level multiplies what one search has to count. */
const MAX_FACET_DEPTH = 3;
const MAX_FACETS = 50;
const MAX_PER_PAGE = 10_000;
const MAX_INSTRUCTION_CHARS = 4_000;

const facetMembers = {
  name: z.string().min(1),
  field: z.string().min(1),
  orderBy: z.enum(FACET_ORDERS).default('DocCount'),
  direction: z.enum(FACET_DIRECTIONS).default('Desc'),
  size: z.int().min(1).max(1_000).default(50),
  includeEmpty: z.boolean().default(false),
  operator: z.enum(FACET_OPERATORS).default('Or'),
};

const RECENCY = z.strictObject({
  field: z.string().min(1),
  halfLifeDays: z.number().positive().max(36_500),
  weight: z.number().min(0).max(100),
});

const FACETS = facetList(MAX_FACET_DEPTH);

/** Partial settings of an engine → full settings with the defaults of contract 1.10; unknown members are refused. */
export const ENGINE_SETTINGS: z.ZodType<EngineSettings> = z.strictObject({
  aiEnabled: z.boolean().default(false).describe('AI Summary, and AI Chat with the feature `AiChat`.'),
  features: z
    .array(z.string().min(1))
    .default([])
    .describe('`AiChat` for questions, `SummaryOptions` for length and style of summaries.'),
  perPage: z.int().min(1).max(MAX_PER_PAGE).default(10).describe('Of searches that name none.'),
  operator: z.enum(['OR', 'AND']).default('OR').describe('Between words, of searches that name none.'),
  facets: FACETS.default([completeFacet({ name: 'Category', field: 'Category' })]).describe(
    'Of searches that name none.',
  ),
  highlight: z
    .strictObject({
      preTag: z.string().max(200).default('<b>'),
      postTag: z.string().max(200).default('</b>'),
      fragmentSize: z.int().min(1).max(10_000).default(160),
      numberOfFragments: z.int().min(0).max(100).default(3),
      noMatchSize: z.int().min(0).max(10_000).default(0),
    })
    .prefault({}),
  autocompleteMode: z
    .enum(['suggestions', 'titles'])
    .default('suggestions')
    .describe('What completes: queries, titles and phrases, or titles alone.'),
  fieldMode: z
    .enum(['auto', 'strict'])
    .default('auto')
    .describe('`strict`: searches filter, sort, count and boost by `enabledFields` only.'),
  enabledFields: z.array(z.string().min(1)).default([]).describe('Of the mode `strict`.'),
  hybridSearch: z.boolean().default(false).describe('Stored only.'),
  aiMinScore: z
    .number()
    .min(0)
    .optional()
    .transform((score) => score)
    .describe('How much of the query the best hit covers where `GenerativeAnswerAvailable` is true.'),
  aiInstructions: z
    .string()
    .min(1)
    .max(MAX_INSTRUCTION_CHARS)
    .optional()
    .transform((text) => text)
    .describe('Words of the operator to the language model.'),
  trustedCustomPrompt: z
    .boolean()
    .default(false)
    .describe('Counts `customPrompt` of callers with an API key as `aiInstructions`.'),
  citationFragments: z.boolean().default(false).describe('Links of answers lead to the place in the page.'),
  answerThreshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .transform((threshold) => threshold)
    .describe('How sure it must be that the pages hold the answer; absent: measured for each language.'),
  recency: RECENCY.optional()
    .transform((rule) => rule)
    .describe('New documents before old ones that fit as well.'),
  corsOrigins: z
    .array(z.string().min(1))
    .default([])
    .describe('Of browsers that may ask; none: those of the installation.'),
  rawBannerHtml: z.boolean().default(false).describe('Shows the HTML of banners as it is.'),
  page: HOSTED_PAGE.optional()
    .transform((page) => page)
    .describe('The search page that is served for the engine.'),
});

/** Settings of a new engine. Contract: 1.10. */
export const ENGINE_DEFAULTS: EngineSettings = ENGINE_SETTINGS.parse({});

/** A facet with the defaults of contract 1.10. */
function completeFacet(facet: Pick<FacetConfig, 'name' | 'field'> & Partial<FacetConfig>): FacetConfig {
  return {
    orderBy: 'DocCount',
    direction: 'Desc',
    size: 50,
    includeEmpty: false,
    operator: 'Or',
    facets: [],
    ...facet,
  };
}

function facetList(depth: number): z.ZodType<FacetConfig[]> {
  const nested = depth === 1 ? z.array(z.never()) : facetList(depth - 1);
  return z.array(z.strictObject({ ...facetMembers, facets: nested.default([]) })).max(MAX_FACETS);
}

/** Features of contract 7 that this version provides: what a new engine has. */
const PROVIDED_FEATURES = [
  'sayt',
  'instant suggestions',
  'related searches',
  'audiences',
  'banner statistics',
  'time-scheduled banners',
  'device analytics',
] as const;

/** All names that contract 7 knows. */
const PUBLIC_FEATURES = [
  ...PROVIDED_FEATURES,
  'voice search',
  'intelligent rankings (ml)',
  'web content highlighter',
  'geo analytics',
  'basic 404',
  'advanced 404 analytics',
  'basic insights',
  'advanced insights',
  'analytics filters',
  'granular permissions',
] as const;

/** Partial public settings → full ones with the defaults of contract 7; unknown members are refused. */
export const PUBLIC_SETTINGS: z.ZodType<PublicSettings> = z.strictObject({
  enableGoogleAnalyticsIntegration: z.boolean().default(false),
  enableSiteimproveAnalyticsIntegration: z.boolean().default(false),
  optOutCookieTracking: z.boolean().default(false),
  enableAnonymousTracking: z.boolean().default(false),
  customEngineSettings: z.record(z.string(), z.unknown()).default({}),
  configurations: z.record(z.string(), z.unknown()).default({}),
  subscriptionFeatures: z.array(z.enum(PUBLIC_FEATURES)).default([...PROVIDED_FEATURES]),
  quotas: z.record(z.string(), z.number()).default({}),
  instantSuggestions: z
    .strictObject({
      suggestions: z.array(z.string().min(1)).max(1_000).default([]),
      limit: z.int().min(1).default(5),
      showRecentSearches: z.boolean().default(false),
    })
    .prefault({}),
});

/** Public settings of a new engine. Contract: 7. */
export const PUBLIC_DEFAULTS: PublicSettings = PUBLIC_SETTINGS.parse({});

type ExportDeps = {
  readonly store: Pick<AccountStore, 'listCustomers' | 'listEngines' | 'listCrawlers' | 'listActiveKeys'>;
  readonly parseCrawlerSettings: ParseCrawlerSettings;
};

/** The present records as the content of a provision file; keys by their digest, secrets as `set`, defaults left out. */
export async function exportProvision({ store, parseCrawlerSettings }: ExportDeps): Promise<Members> {
  const [customers, engines, crawlers, keys] = [
    await store.listCustomers(),
    await store.listEngines(),
    await store.listCrawlers(),
    await store.listActiveKeys(),
  ];
  const usual = parseCrawlerSettings({});
  return {
    version: 1,
    customers: customers.map(({ id, name }) => ({
      id,
      name,
      keys: keys.filter(({ customerId }) => customerId === id).map((key) => exportKey(key)),
      engines: engines.filter(({ customerId }) => customerId === id).map(exportEngine),
      crawlers: crawlers
        .filter(({ customerId }) => customerId === id)
        .map(({ id, engineId, name, active, config }) => ({
          id,
          engine: engineId,
          name,
          active,
          ...changedMembers(hideSecrets(config), usual),
        })),
    })),
  };
}

function exportKey(key: { readonly name: string; readonly sha256: string; readonly expiresAt: number | undefined }) {
  const { name, sha256, expiresAt } = key;
  return { name, sha256, ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }) };
}

function exportEngine({ id, name, language, settings, publicSettings }: Engine): Members {
  const shown = changedMembers(publicSettings, PUBLIC_DEFAULTS);
  return {
    id,
    name,
    language,
    ...changedMembers(settings, ENGINE_DEFAULTS),
    ...(Object.keys(shown).length > 0 && { publicSettings: shown }),
  };
}

function changedMembers(members: object, defaults: object): Members {
  const usual = defaults as Members;
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name])),
  );
}

export type PublishedSettings = {
  readonly engine: Engine;
  readonly settings: PublicSettings;
  readonly quicklinks: readonly Quicklink[];
  /** Empty with limit 0 when the engine has no feature `instant suggestions`. */
  readonly instantSuggestions: PublicSettings['instantSuggestions'];
};

const NO_SUGGESTIONS: PublicSettings['instantSuggestions'] = { suggestions: [], limit: 0, showRecentSearches: false };

/** What a page may know about its engine: no key, crawler or document. Contract: 7. */
export async function readPublicSettings(
  { systemStore }: { readonly systemStore: Pick<ToolStore, 'listTools'> },
  engine: Engine,
): Promise<PublishedSettings> {
  const settings = engine.publicSettings;
  const { customerId, id: engineId } = engine;
  const suggests = settings.subscriptionFeatures.includes('instant suggestions');
  return {
    engine,
    settings,
    quicklinks: await systemStore.listTools('quicklink', { customerId, engineId }),
    instantSuggestions: suggests ? settings.instantSuggestions : NO_SUGGESTIONS,
  };
}

/** The members with what was sent in their place: objects are merged, `null` removes a member (RFC 7396). */
export function mergePatch(present: Members, sent: Members): Members {
  const merged = new Map(Object.entries(present));
  for (const [name, value] of Object.entries(sent)) {
    const before = merged.get(name);
    if (value === null) merged.delete(name);
    else merged.set(name, isMembers(value) ? mergePatch(isMembers(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
