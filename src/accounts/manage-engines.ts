import { z } from 'zod';
import { hideSecrets } from '../core/crawler-secrets.ts';
import { invalidRequest } from '../core/errors.ts';
import { refuseManaged } from '../core/managed-record.ts';
import type { Engine, EngineSettings, PublicSettings } from '../core/records.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { AccountStore, ActiveKey, Actor } from '../storage/system/accounts.ts';
import type { AlertTargetStore } from '../storage/system/alert-targets.ts';
import type { PeopleStore } from '../storage/system/people.ts';
import type { SynonymGroup, SynonymStore } from '../storage/system/synonym-groups.ts';
import type { Quicklink, ToolStore } from '../storage/system/tools.ts';
import {
  type ChangeDeps,
  changeRecords,
  LANGUAGE,
  type MatchedChange,
  RECORD_ID,
  RECORD_NAME,
  refuseTaken,
  requireRecord,
  type SentChange,
} from './account-change.ts';
import { ENGINE_DEFAULTS, ENGINE_SETTINGS, PUBLIC_DEFAULTS, PUBLIC_SETTINGS } from './engine-settings.ts';
import { type EngineToolRecords, exportSynonyms, exportTools } from './export-tools.ts';
import { refuseTakenPage } from './hosted-page.ts';
import { check, parseStrictly, problemAt } from './problems.ts';
import { exportAlertTargets } from './provision-alert-targets.ts';
import type { ParseCrawlerSettings } from './provision-file.ts';
import { allPeople, exportPeople } from './provision-people.ts';

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
export async function addEngine(deps: ChangeDeps, { actor, sent }: SentChange): Promise<Engine> {
  const { id, customer, name, language, publicSettings, ...members } = parseStrictly(NEW_ENGINE, sent);
  if ((await deps.store.findCustomer(customer)) === undefined) {
    throw invalidRequest([problemAt(['customer'], `there is no customer ${customer}`)]);
  }
  if (id !== undefined) refuseTaken('engine', id, await deps.store.findEngine(id));
  const read = readSettings({ members, publicSettings, beside: Object.keys(NEW_ENGINE.shape) });
  await refuseTakenPage(deps.store, { name, settings: read.settings });
  const [made = 0] = await changeRecords(deps, actor, [
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
 * @throws AppError `request.invalid` · `record.not-found` · `record.managed` · `record.conflict`, or `record.changed` of a
 * matched one, when somebody else has changed the engine meanwhile
 */
export async function changeEngine(
  deps: ChangeDeps,
  { actor, id, sent, matched }: MatchedChange<Engine> & { readonly id: number },
): Promise<Engine> {
  const engine = matched ?? requireRecord('engine', id, await deps.store.findEngine(id));
  refuseManaged('engine', engine);
  const changed = parseStrictly(CHANGED_ENGINE, sent);
  const { name = engine.name, language = engine.language, publicSettings, ...members } = changed;
  const settings = readSettings({
    members: mergePatch({ ...engine.settings }, members),
    publicSettings: mergePatch({ ...engine.publicSettings }, publicSettings),
    beside: Object.keys(CHANGED_ENGINE.shape),
  });
  await refuseTakenPage(deps.store, { id, name, settings: settings.settings });
  await changeRecords(deps, actor, [
    {
      kind: 'put-engine',
      id,
      customerId: engine.customerId,
      name,
      language,
      ...settings,
      seen: engine,
      isMatched: matched !== undefined,
    },
  ]);
  return { ...engine, name, language, ...settings };
}

/**
 * Removes the engine with its crawlers, search tools, tracking and documents.
 * @throws AppError `record.not-found` · `record.managed`, also for a crawler of the engine
 */
export async function removeEngine(
  deps: RemovalDeps,
  { actor, id }: { readonly actor: Actor; readonly id: number },
): Promise<void> {
  const engine = requireRecord('engine', id, await deps.store.findEngine(id));
  refuseManaged('engine', engine, 'remove it');
  for (const crawler of await deps.store.listCrawlers({ engineId: id })) refuseManaged('crawler', crawler, 'remove it');
  await changeRecords(deps, actor, [{ kind: 'remove-engine', id }]);
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

type ExportDeps = {
  readonly store: Pick<AccountStore, 'listCustomers' | 'listEngines' | 'listCrawlers' | 'listActiveKeys'> &
    Pick<PeopleStore, 'listPeople'> &
    Pick<AlertTargetStore, 'listAlertTargets'> &
    Pick<ToolStore, 'listTools'> &
    Pick<SynonymStore, 'listSynonymGroups'>;
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
  const alertTargets = exportAlertTargets(await store.listAlertTargets());
  const people = exportPeople(await allPeople(store));
  const tools = new Map<number, EngineToolRecords>();
  const synonyms = new Map<number, readonly SynonymGroup[]>();
  for (const { id } of customers) {
    tools.set(id, await listTools(store, id));
    synonyms.set(id, await store.listSynonymGroups(id));
  }
  return {
    version: 1,
    ...(alertTargets.length > 0 && { alertTargets }),
    ...(people.length > 0 && { people }),
    customers: customers.map(({ id, name }) => ({
      id,
      name,
      keys: keys.filter(({ customerId }) => customerId === id).map((key) => exportKey(key)),
      engines: engines
        .filter(({ customerId }) => customerId === id)
        .map((engine) => ({ ...exportEngine(engine), ...exportTools(engine.id, tools.get(id)) })),
      crawlers: crawlers
        .filter(({ customerId }) => customerId === id)
        .map(({ id, engineId, name, active, config }) => ({
          id,
          engine: engineId,
          name,
          active,
          ...changedMembers(hideSecrets(config), usual),
        })),
      ...exportSynonyms(synonyms.get(id)),
    })),
  };
}

function exportKey({ name, sha256, expiresAt, scopes }: ActiveKey) {
  return {
    name,
    sha256,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(scopes !== undefined && { scopes }),
  };
}

async function listTools(store: Pick<ToolStore, 'listTools'>, customerId: number): Promise<EngineToolRecords> {
  return {
    rankings: await store.listTools('ranking', { customerId }),
    banners: await store.listTools('banner', { customerId }),
    quicklinks: await store.listTools('quicklink', { customerId }),
    hiddenPages: await store.listTools('hidden-page', { customerId }),
  };
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
