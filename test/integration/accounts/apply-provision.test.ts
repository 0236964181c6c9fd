import { expect, test } from 'vitest';
import { alertTargetParser } from '../../../src/accounts/alert-target-settings.ts';
import { type ApplyDeps, applyProvision, planProvision } from '../../../src/accounts/apply-provision.ts';
import { createAccountSnapshot } from '../../../src/accounts/engine-snapshot.ts';
import { exportProvision } from '../../../src/accounts/manage-engines.ts';
import { digestOf } from '../../../src/accounts/manage-keys.ts';
import { createSecretBox } from '../../../src/accounts/secret-box.ts';
import type { WakeHint } from '../../../src/core/wake.ts';
import { operatorSettingsParser } from '../../../src/crawl/parse-operator-settings.ts';
import { openSystem } from '../../helpers/open-system.ts';

const NAME = 'fossick.config.yaml';
const SECRET_BOX = createSecretBox('secrets-key-of-the-tests');
const CUSTOMER = {
  id: 3,
  name: 'Three',
  keys: [{ name: 'cms', value: 'key-3-example' }],
  engines: [{ id: 6, name: 'Main', aiEnabled: true, features: ['AiChat'] }],
  crawlers: [{ id: 17, engine: 6, name: 'Site', active: true, seeds: ['https://a.test/'] }],
};
type FileCustomer = Omit<Partial<typeof CUSTOMER>, 'engines' | 'crawlers'> & {
  engines?: object[];
  crawlers?: object[];
};
const fileOf = (...customers: FileCustomer[]) => ({ name: NAME, content: { version: 1, customers } });

async function openProvision() {
  const system = await openSystem();
  const clock = { time: 1_000, now: () => clock.time };
  const hints: WakeHint[] = [];
  const deps: ApplyDeps = {
    store: system.store,
    accounts: createAccountSnapshot({ store: system.store, clock }),
    clock,
    wake: (hint) => hints.push(hint),
    parseCrawlerSettings: operatorSettingsParser(SECRET_BOX),
    parseAlertTarget: alertTargetParser(SECRET_BOX),
    unmarkedNames: async () => [],
    findPage: undefined,
    readVariable: () => undefined,
  };
  const apply = (...customers: FileCustomer[]) => applyProvision(deps, fileOf(...customers));
  return { deps, apply, hints, store: system.store, [Symbol.asyncDispose]: () => system[Symbol.asyncDispose]() };
}

test('applying a file makes its records, managed by it', async () => {
  await using opened = await openProvision();
  const { apply, store } = opened;

  const { planned } = await apply(CUSTOMER);

  expect(planned.map(({ action, record }) => `${action} ${record}`)).toEqual([
    'create customer 3 (Three)',
    'add key cms of customer 3',
    'create engine 6 (Main)',
    'create crawler 17 (Site)',
    'activate crawler 17 (Site)',
  ]);
  expect(await store.findCustomer(3)).toMatchObject({ name: 'Three', managedBy: NAME });
  expect(await store.findEngine(6)).toMatchObject({ settings: { aiEnabled: true }, managedBy: NAME });
  expect(await store.findCrawler(17)).toMatchObject({ active: true, config: { seeds: ['https://a.test/'] } });
  expect(await store.findActiveKey(3, digestOf('key-3-example'), 1_000)).toMatchObject({ managedBy: NAME });
  expect((await store.listAudit({ limit: 1 })).entries[0]).toMatchObject({ actor: `provision:${NAME}` });
});

test('applying a file twice changes nothing', async () => {
  await using opened = await openProvision();
  const { apply, store } = opened;
  await apply(CUSTOMER);
  const token = store.changeToken();

  const again = await apply(CUSTOMER);

  expect(again.planned).toEqual([]);
  expect(store.changeToken()).toBe(token);
});

test('a plan changes nothing and names the members that differ', async () => {
  await using opened = await openProvision();
  const { apply, deps, store } = opened;
  await apply(CUSTOMER);
  const token = store.changeToken();
  const engines = [{ id: 6, name: 'Main', aiEnabled: true, features: ['AiChat'], perPage: 20, language: 'de' }];
  const crawlers = [{ ...CUSTOMER.crawlers[0], active: false, seeds: ['https://b.test/'] }];

  const { planned } = await planProvision(deps, fileOf({ ...CUSTOMER, engines, crawlers }));

  expect(planned).toEqual([
    { action: 'change', record: 'engine 6 (Main)', members: ['language', 'settings.perPage'] },
    { action: 'change', record: 'crawler 17 (Site)', members: ['config.seeds'] },
    { action: 'deactivate', record: 'crawler 17 (Site)', members: [] },
  ]);
  expect(store.changeToken()).toBe(token);
});

test('records that the file does not name stay, and those it named before are released', async () => {
  await using opened = await openProvision();
  const { apply, store } = opened;
  await apply(CUSTOMER);
  await store.changeRecords('operator', [{ kind: 'put-customer', id: 9, name: 'By hand' }], 1);

  const { planned } = await apply({ id: 3, name: 'Three', keys: CUSTOMER.keys, engines: CUSTOMER.engines });

  expect(planned).toEqual([{ action: 'release', record: 'crawler 17 (Site)', members: [] }]);
  expect(await store.findCrawler(17)).toMatchObject({ managedBy: undefined, active: true });
  expect(await store.findCustomer(9)).toBeDefined();
});

test('a key that gets another value replaces the former one', async () => {
  await using opened = await openProvision();
  const { apply, store } = opened;
  await apply(CUSTOMER);

  await apply({ ...CUSTOMER, keys: [{ name: 'cms', value: 'key-3-changed' }] });

  expect((await store.listActiveKeys()).map(({ sha256 }) => sha256)).toEqual([digestOf('key-3-changed')]);
});

test('a key in clear text, or one that can be guessed, is warned about, also when nothing changes', async () => {
  await using opened = await openProvision();
  const { apply } = opened;
  const warning = 'key cms of customer 3 stands in the file in clear text: use fromEnv or sha256';

  const short = 'key cms of customer 3 can be guessed: give it at least 16 characters';

  expect((await apply(CUSTOMER)).warnings).toEqual([warning, short]);
  expect((await apply(CUSTOMER)).warnings).toEqual([warning, short]);
  const keys = [{ name: 'cms', value: 'one-of-sixteen-characters' }];
  expect((await apply({ ...CUSTOMER, keys })).warnings).toEqual([warning]);
});

test('crawlers that changed are hinted at, others not', async () => {
  await using opened = await openProvision();
  const { apply, hints } = opened;
  await apply(CUSTOMER);
  expect(hints).toEqual([{ kind: 'crawler-changed', engineId: 6, crawlerId: 17 }]);

  await apply({ ...CUSTOMER, engines: [{ id: 6, name: 'Renamed' }] });

  expect(hints).toHaveLength(1);
});

test.each<[string, FileCustomer, string]>([
  [
    'an engine of another customer',
    { id: 4, engines: [{ id: 6 }] },
    'customers[1].engines[0].id: engine 6 belongs to customer 3',
  ],
  [
    'a crawler on an engine of another customer',
    { id: 4, crawlers: [{ id: 18, engine: 6 }] },
    'customers[1].crawlers[0].engine: engine 6 belongs to customer 3',
  ],
  [
    'a crawler on no engine',
    { id: 4, crawlers: [{ id: 18, engine: 99 }] },
    'customers[1].crawlers[0].engine: there is no engine 99',
  ],
  [
    'a crawler that moves',
    { id: 4, engines: [{ id: 8 }], crawlers: [{ id: 19, engine: 8 }] },
    'customers[1].crawlers[0].engine: crawler 19 belongs to engine 7 and cannot be moved: take a new id',
  ],
])('%s is refused and nothing is applied', async (_what, customer, message) => {
  await using opened = await openProvision();
  const { apply, store } = opened;
  await apply({ id: 3, engines: [{ id: 6 }] }, { id: 4, engines: [{ id: 7 }], crawlers: [{ id: 19, engine: 7 }] });
  const token = store.changeToken();

  await expect(apply({ id: 5, name: 'New' }, customer)).rejects.toMatchObject({
    code: 'request.invalid',
    options: { problems: [{ message }] },
  });
  expect(store.changeToken()).toBe(token);
});

test('what is exported is a file that changes only who manages the records', async () => {
  await using opened = await openProvision();
  const { apply, deps } = opened;
  await apply(CUSTOMER);

  const content = await exportProvision(deps);

  expect(content).toEqual({
    version: 1,
    customers: [
      {
        ...CUSTOMER,
        keys: [{ name: 'cms', sha256: digestOf('key-3-example') }],
        engines: [{ ...CUSTOMER.engines[0], language: 'en' }],
      },
    ],
  });
  expect((await planProvision(deps, { name: NAME, content })).planned).toEqual([]);
});

test('secrets of a crawler are stored sealed, planned as no change, and exported as set', async () => {
  await using opened = await openProvision();
  const { deps, apply, store } = opened;
  const access = { headers: { 'x-token': 'open sesame' }, basicAuth: { username: 'me', password: 'too' } };
  const [crawler] = CUSTOMER.crawlers;
  const customer = { ...CUSTOMER, crawlers: [{ ...crawler, ...access }] };

  await apply(customer);
  const again = await planProvision(deps, fileOf(customer));
  const exported = await exportProvision(deps);
  const applied = await planProvision(deps, { name: NAME, content: exported });

  expect(JSON.stringify([await store.findCrawler(17), (await store.listAudit({ limit: 50 })).entries])).not.toMatch(
    /open sesame|too"/,
  );
  expect(again.planned).toEqual([]);
  expect(exported).toMatchObject({
    customers: [{ crawlers: [{ headers: { 'x-token': 'set' }, basicAuth: { username: 'me', password: 'set' } }] }],
  });
  expect(applied.planned).toEqual([]);
});

test('alert targets of a file are made, kept without a change, exported and released, and never show a secret', async () => {
  await using opened = await openProvision();
  const { deps, store } = opened;
  const target = { id: 20, kind: 'webhook', name: 'chat', url: 'https://chat.example/hooks/T123', digestAt: '07:30' };
  const file = (...alertTargets: object[]) => ({ name: NAME, content: { version: 1, alertTargets } });

  const made = await applyProvision(deps, file(target));
  const again = await planProvision(deps, file(target));
  const exported = await exportProvision(deps);
  const applied = await planProvision(deps, { name: NAME, content: exported });
  const changed = await applyProvision(deps, file({ ...target, digestAt: '08:00' }));
  const released = await applyProvision(deps, file());

  const actions = [made, again, applied, changed, released].map(({ planned }) =>
    planned.map(({ action, record, members }) => [action, record, ...members]),
  );
  const record = 'alert target 20 (chat)';
  expect(actions).toEqual([[['create', record]], [], [], [['change', record, 'digestAt']], [['release', record]]]);
  expect(exported).toMatchObject({ alertTargets: [{ id: 20, kind: 'webhook', name: 'chat', url: 'set' }] });
  expect(await store.listAlertTargets()).toMatchObject([{ id: 20, managedBy: undefined }]);
  expect(JSON.stringify((await store.listAudit({ limit: 10 })).entries)).not.toContain('T123');
});

test('every mistake of alert targets is told with those of the other records', async () => {
  await using opened = await openProvision();
  const { deps } = opened;
  const target = { id: 20, kind: 'webhook', name: 'chat', url: 'https://chat.example/' };
  const content = {
    version: 1,
    customers: [{ id: 3, engines: [{ id: 6, perPage: 0 }] }],
    alertTargets: [
      target,
      { ...target, name: 'other', url: 'nowhere' },
      { ...target, id: 21 },
      { ...target, id: 22, name: 'exported', url: 'set' },
    ],
  };

  const { options } = await planProvision(deps, { name: NAME, content }).catch((error) => error);

  expect(options.problems.map(({ path }: { path: string }) => path)).toEqual([
    'customers[0].engines[0].perPage',
    'alertTargets[1].url',
    'alertTargets[3].url',
    'alertTargets[1].name',
  ]);
});
