import { z } from 'zod';
import { invalidRequest } from '../core/errors.ts';
import type { Engine, EngineSettings, PublicSettings } from '../core/records.ts';
import type { EngineStores } from '../storage/engine-store.ts';
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
import { ENGINE_SETTINGS } from './engine-settings.ts';
import { mergePatch } from './merge-patch.ts';
import { check, parseStrictly, problemAt } from './problems.ts';
import { PUBLIC_SETTINGS } from './public-settings.ts';

export type RemovalDeps = ChangeDeps & { readonly engineStores: Pick<EngineStores, 'remove'> };

type Members = Readonly<Record<string, unknown>>;

const MEMBERS = z.record(z.string(), z.unknown());
/** Besides these an engine has the members of its settings. */
const NEW_ENGINE = z.looseObject({
  id: RECORD_ID.optional(),
  customer: RECORD_ID,
  name: RECORD_NAME,
  language: LANGUAGE.default('en'),
  publicSettings: MEMBERS.default({}),
});
const CHANGED_ENGINE = z.looseObject({
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
  const [made = 0] = await changeAsOperator(deps, [
    {
      kind: 'put-engine',
      customerId: customer,
      name,
      language,
      ...readSettings({ members, publicSettings, beside: Object.keys(NEW_ENGINE.shape) }),
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
