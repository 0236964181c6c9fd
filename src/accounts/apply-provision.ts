import type { AlertTarget } from '../core/alert-target.ts';
import type { Clock } from '../core/clock.ts';
import { AppError, invalidRequest, type Problem } from '../core/errors.ts';
import type { Crawler, Customer, Engine, Person } from '../core/records.ts';
import type { Wake } from '../core/wake.ts';
import type { AccountStore, ActiveKey, Actor, RecordChange } from '../storage/system/accounts.ts';
import type { AlertTargetStore } from '../storage/system/alert-targets.ts';
import type { PeopleStore } from '../storage/system/people.ts';
import type { ParseAlertTarget } from './alert-target-settings.ts';
import type { AccountSnapshot } from './engine-snapshot.ts';
import { pageProblems } from './hosted-page.ts';
import { problemAt } from './problems.ts';
import { planAlertTargets, readAlertTargets } from './provision-alert-targets.ts';
import {
  MIN_KEY_CHARS,
  type ProvisionDeps,
  type ProvisionFile,
  readProvisionFile,
  type WantedCrawler,
  type WantedCustomer,
  type WantedEngine,
} from './provision-file.ts';
import { allPeople, linkWarnings, planPeople, readPeople } from './provision-people.ts';
import { foreignBannerProblems, planTools, type ToolPlanDeps } from './provision-tools.ts';

export type ApplyDeps = PlanDeps & {
  readonly store: PlanDeps['store'] & Pick<AccountStore, 'changeRecords' | 'findCrawler'>;
  readonly accounts: Pick<AccountSnapshot, 'drop'>;
  readonly clock: Clock;
  readonly wake: Wake;
};

/**
 * Makes the stored records what the file wants, in one commit; a second time it changes nothing. Resolves with what
 * was done. Crawlers that changed are hinted at.
 * @throws AppError `request.invalid` with every mistake · `record.conflict` for a key that was revoked
 */
export async function applyProvision(
  deps: ApplyDeps,
  file: ProvisionFile,
  actor: Actor = `provision:${file.name}`,
): Promise<ProvisionPlan> {
  const plan = await planProvision(deps, file);
  if (plan.changes.length === 0) return plan;
  const ids = await deps.store.changeRecords(actor, plan.changes, deps.clock.now());
  deps.accounts.drop();
  const crawlerIds = plan.changes.flatMap(({ kind }, index) =>
    kind === 'put-crawler' || kind === 'set-crawler-active' ? [ids[index] ?? 0] : [],
  );
  for (const crawlerId of new Set(crawlerIds)) {
    const crawler = await deps.store.findCrawler(crawlerId);
    if (crawler !== undefined) deps.wake({ kind: 'crawler-changed', engineId: crawler.engineId, crawlerId });
  }
  return plan;
}

export const PLANNED_ACTIONS = [
  'create',
  'change',
  'activate',
  'deactivate',
  'add',
  'revoke',
  'remove',
  'release',
] as const;
export type PlannedChange = {
  readonly action: (typeof PLANNED_ACTIONS)[number];
  /** `engine 6 (Main)` */
  readonly record: string;
  /** Members that differ, for `change`. */
  readonly members: readonly string[];
};

export type ProvisionPlan = {
  readonly planned: readonly PlannedChange[];
  /** What to watch out for; also said when nothing changes. */
  readonly warnings: readonly string[];
  /** What `apply` writes, in order. */
  readonly changes: readonly RecordChange[];
};

type PlanDeps = ProvisionDeps &
  Pick<ToolPlanDeps, 'findPage' | 'clock'> & {
    /** Sentences about names of crawlers that lead into a private network without a mark. */
    readonly unmarkedNames: (crawlers: readonly Pick<Crawler, 'id' | 'config'>[]) => Promise<readonly string[]>;
    readonly parseAlertTarget: ParseAlertTarget;
    readonly store: Pick<AccountStore, 'listCustomers' | 'listEngines' | 'listCrawlers' | 'listActiveKeys'> &
      Pick<PeopleStore, 'listPeople'> &
      Pick<AlertTargetStore, 'listAlertTargets'> &
      ToolPlanDeps['store'];
  };

type Present = {
  readonly customers: ReadonlyMap<number, Customer>;
  readonly engines: ReadonlyMap<number, Engine>;
  readonly crawlers: ReadonlyMap<number, Crawler>;
  readonly keys: readonly ActiveKey[];
  readonly alertTargets: ReadonlyMap<number, AlertTarget>;
  readonly people: readonly Person[];
};
type Planning = { readonly present: Present; readonly managedBy: string };
export type Step = { readonly planned: PlannedChange; readonly change: RecordChange };

/**
 * The difference between what the file wants and what is stored. Records that the file does not name stay; those
 * that it named before are released, so that the admin API may change them. Nothing is ever removed but search tools of
 * engines that the file names, and synonyms of its customers.
 * @throws AppError `request.invalid` with every mistake and the path of its member
 */
export async function planProvision(deps: PlanDeps, file: ProvisionFile): Promise<ProvisionPlan> {
  const present = await readPresent(deps.store);
  const { wanted, alertTargets, people } = readWanted(deps, file.content, present);
  const problems = [
    ...wanted.flatMap((customer) => ownershipProblems(customer, wanted, present)),
    ...takenPageProblems(wanted, present),
    ...wanted.flatMap((customer) => foreignBannerProblems(customer, enginesOf(customer, present))),
  ];
  if (problems.length > 0) throw invalidRequest(problems);
  const tools = await planTools(deps, {
    wanted,
    customerIds: [...present.customers.keys()],
    engineIds: new Set(present.engines.keys()),
    managedBy: file.name,
  });
  const steps = [
    ...wanted.flatMap((customer) => planCustomer(customer, { present, managedBy: file.name })),
    ...releaseUnnamed(wanted, { present, managedBy: file.name }),
    ...planPeople(people, { present: present.people, managedBy: file.name }),
    ...tools.steps,
    ...planAlertTargets(alertTargets, { present: present.alertTargets, managedBy: file.name }),
  ];
  return {
    planned: steps.map(({ planned }) => planned),
    warnings: [
      ...wanted.flatMap(keyWarnings),
      ...linkWarnings(people, present.people),
      ...tools.warnings,
      ...(await deps.unmarkedNames(wanted.flatMap(({ crawlers }) => crawlers))),
    ],
    changes: steps.map(({ change }) => change),
  };
}

/** @throws AppError `request.invalid` with every mistake, whichever part of the file has it */
function readWanted(deps: PlanDeps, content: unknown, present: Present) {
  const list = isMembers(content) ? content['alertTargets'] : undefined;
  const { wanted: alertTargets, problems: found } = readAlertTargets(deps, list, present.alertTargets);
  const problems = [...found];
  try {
    const wanted = readProvisionFile(deps, content, present.crawlers);
    const customers = new Set([...present.customers.keys(), ...wanted.map(({ id }) => id)]);
    const people = readPeople(isMembers(content) ? content['people'] : undefined, customers);
    problems.push(...people.problems);
    if (problems.length === 0) return { wanted, alertTargets, people: people.wanted };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidRequest([...(error.options.problems ?? []), ...problems]);
  }
  throw invalidRequest(problems);
}

async function readPresent(store: PlanDeps['store']): Promise<Present> {
  return {
    customers: byId(await store.listCustomers()),
    engines: byId(await store.listEngines()),
    crawlers: byId(await store.listCrawlers()),
    keys: await store.listActiveKeys(),
    alertTargets: byId(await store.listAlertTargets()),
    people: await allPeople(store),
  };
}

function ownershipProblems(
  customer: WantedCustomer,
  wanted: readonly WantedCustomer[],
  present: Present,
): readonly Problem[] {
  const ownerInFile = new Map(wanted.flatMap(({ id, engines }) => engines.map((engine) => [engine.id, id])));
  const engines = customer.engines.flatMap(({ id, path }) => {
    const owner = present.engines.get(id)?.customerId ?? customer.id;
    return owner === customer.id ? [] : [problemAt([...path, 'id'], `engine ${id} belongs to customer ${owner}`)];
  });
  const crawlers = customer.crawlers.flatMap(({ id, engineId, path }) => {
    const owner = ownerInFile.get(engineId) ?? present.engines.get(engineId)?.customerId;
    const enginePath = [...path, 'engine'];
    if (owner === undefined) return [problemAt(enginePath, `there is no engine ${engineId}`)];
    if (owner !== customer.id) return [problemAt(enginePath, `engine ${engineId} belongs to customer ${owner}`)];
    const home = present.crawlers.get(id)?.engineId ?? engineId;
    if (home === engineId) return [];
    return [problemAt(enginePath, `crawler ${id} belongs to engine ${home} and cannot be moved: take a new id`)];
  });
  return [...engines, ...crawlers];
}

/** Addresses of pages that the file gives twice, or that an engine has which it does not name. */
function takenPageProblems(wanted: readonly WantedCustomer[], present: Present): readonly Problem[] {
  const engines = wanted.flatMap((customer) => customer.engines);
  const named = new Set(engines.map(({ id }) => id));
  const unnamed = [...present.engines.values()].filter(({ id }) => !named.has(id));
  return engines.flatMap((engine, at) => pageProblems(engine, [...unnamed, ...engines.slice(0, at)], engine.path));
}

function enginesOf({ id, engines }: WantedCustomer, present: Present): ReadonlySet<number> {
  const stored = [...present.engines.values()].filter(({ customerId }) => customerId === id);
  return new Set([...engines, ...stored].map((engine) => engine.id));
}

function planCustomer(customer: WantedCustomer, planning: Planning): readonly Step[] {
  const { present, managedBy } = planning;
  const { id, name } = customer;
  return [
    ...planRecord({
      record: `customer ${id} (${name})`,
      present: present.customers.get(id),
      wanted: { name, managedBy },
      change: { kind: 'put-customer', id, name, managedBy },
    }),
    ...planKeys(customer, planning),
    ...customer.engines.flatMap((engine) => planEngine(engine, id, planning)),
    ...customer.crawlers.flatMap((crawler) => planCrawler(crawler, planning)),
  ];
}

/** A key that the file gives another value is replaced: the former one of that name is revoked. */
function planKeys({ id: customerId, keys }: WantedCustomer, { present, managedBy }: Planning): readonly Step[] {
  const active = present.keys.filter((key) => key.customerId === customerId);
  return keys.flatMap(({ name, sha256, last4, expiresAt, scopes }) => {
    const record = `key ${name} of customer ${customerId}`;
    const known = active.find((key) => key.sha256 === sha256);
    const limits = { ...(expiresAt !== undefined && { expiresAt }), ...(scopes !== undefined && { scopes }) };
    const change: RecordChange = { kind: 'add-key', customerId, name, sha256, last4, ...limits, managedBy };
    const isKept = known?.managedBy === managedBy && known.expiresAt === expiresAt;
    const isRight = isKept && known.name === name && asText(known.scopes) === asText(scopes);
    const replaced = active.filter((key) => key.name === name && key.managedBy === managedBy && key.sha256 !== sha256);
    return [
      ...(isRight ? [] : [{ planned: { action: known ? 'change' : 'add', record, members: [] }, change } as const]),
      ...replaced.map((key): Step => {
        const revoked = `key ${name} (…${key.last4}) of customer ${customerId}`;
        return {
          planned: { action: 'revoke', record: revoked, members: [] },
          change: { kind: 'revoke-key', customerId, id: key.id },
        };
      }),
    ];
  });
}

function planEngine(
  { path: _, tools: __, ...engine }: WantedEngine,
  customerId: number,
  { present, managedBy }: Planning,
): readonly Step[] {
  const { id, ...members } = engine;
  return planRecord({
    record: `engine ${id} (${engine.name})`,
    present: present.engines.get(id),
    wanted: { ...members, managedBy },
    change: { kind: 'put-engine', ...engine, customerId, managedBy },
  });
}

function planCrawler(
  { path: _, active, ...crawler }: WantedCrawler,
  { present, managedBy }: Planning,
): readonly Step[] {
  const { id, ...members } = crawler;
  const known = present.crawlers.get(id);
  const record = `crawler ${id} (${crawler.name})`;
  const steps = planRecord({
    record,
    present: known,
    wanted: { ...members, managedBy },
    change: { kind: 'put-crawler', ...crawler, managedBy },
  });
  if ((known?.active ?? false) === active) return steps;
  const planned = { action: active ? 'activate' : 'deactivate', record, members: [] } as const;
  return [...steps, { planned, change: { kind: 'set-crawler-active', id, active } }];
}

function planRecord(input: {
  readonly record: string;
  readonly present: object | undefined;
  readonly wanted: Readonly<Record<string, unknown>>;
  readonly change: RecordChange;
}): readonly Step[] {
  const { record, present, wanted, change } = input;
  if (present === undefined) return [{ planned: { action: 'create', record, members: [] }, change }];
  const members = differingMembers(present as Readonly<Record<string, unknown>>, wanted);
  return members.length === 0 ? [] : [{ planned: { action: 'change', record, members }, change }];
}

/** Names of members that differ, those of settings one level down: `settings.perPage`. */
function differingMembers(
  present: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    if (asText(present[name]) === asText(value)) return [];
    if (!isMembers(present[name]) || !isMembers(value)) return [name];
    const before = present[name];
    const names = new Set([...Object.keys(before), ...Object.keys(value)]);
    return [...names]
      .filter((inner) => asText(before[inner]) !== asText(value[inner]))
      .map((inner) => `${name}.${inner}`);
  });
}

function releaseUnnamed(wanted: readonly WantedCustomer[], { present, managedBy: file }: Planning): readonly Step[] {
  const named = (records: readonly { readonly id: number }[]) => new Set(records.map(({ id }) => id));
  const customers = named(wanted);
  const engines = named(wanted.flatMap((customer) => customer.engines));
  const crawlers = named(wanted.flatMap((customer) => customer.crawlers));
  const unnamed = <T extends { readonly id: number; readonly managedBy: string | undefined }>(
    records: ReadonlyMap<number, T>,
    names: ReadonlySet<number>,
  ) => [...records.values()].filter(({ id, managedBy }) => managedBy === file && !names.has(id));
  const release = (record: string, change: RecordChange): Step => ({
    planned: { action: 'release', record, members: [] },
    change,
  });
  return [
    ...unnamed(present.customers, customers).map(({ id, name }) =>
      release(`customer ${id} (${name})`, { kind: 'put-customer', id, name }),
    ),
    ...unnamed(present.engines, engines).map(({ managedBy: _, createdAt: __, ...engine }) =>
      release(`engine ${engine.id} (${engine.name})`, { kind: 'put-engine', ...engine }),
    ),
    ...unnamed(present.crawlers, crawlers).map(({ id, engineId, name, config }) =>
      release(`crawler ${id} (${name})`, { kind: 'put-crawler', id, engineId, name, config }),
    ),
  ];
}

function keyWarnings({ id, keys }: WantedCustomer): readonly string[] {
  return keys.flatMap(({ name, isClearText, isShort }) => [
    ...(isClearText ? [`key ${name} of customer ${id} stands in the file in clear text: use fromEnv or sha256`] : []),
    ...(isShort ? [`key ${name} of customer ${id} can be guessed: give it at least ${MIN_KEY_CHARS} characters`] : []),
  ]);
}

function asText(value: unknown): string | undefined {
  return JSON.stringify(value);
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function byId<T extends { readonly id: number }>(records: readonly T[]): ReadonlyMap<number, T> {
  return new Map(records.map((record) => [record.id, record]));
}
