import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { AppError } from '../../../src/core/errors.ts';
import { projectEngines } from '../../../src/indexing/project-engines.ts';
import { temporaryEngineStores } from '../../helpers/engine-stores.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { openSystem } from '../../helpers/open-system.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const ENGINE = 6;

function putEngine({ store }: Awaited<ReturnType<typeof openSystem>>) {
  return store.changeRecords(
    'test',
    [
      { kind: 'put-customer', id: 3, name: 'Three' },
      {
        kind: 'put-engine',
        id: ENGINE,
        customerId: 3,
        name: 'Main',
        language: 'en',
        settings: ENGINE_DEFAULTS,
        publicSettings: PUBLIC_DEFAULTS,
      },
    ],
    0,
  );
}

test('an engine that is given the id of a removed one waits until the writer of that has ended and its index is gone', async () => {
  await using engines = await temporaryEngineStores();
  await using system = await openSystem();
  await using index = createInMemoryIndex();
  const put = () => putEngine(system);
  const mayEnd = Promise.withResolvers<void>();
  const steps: string[] = [];
  const stop = new AbortController();
  const { store } = system;
  let looks = 0;
  const listEngines = () => {
    looks++;
    return store.listEngines();
  };
  const deps = {
    accounts: { changeToken: store.changeToken, listEngines },
    engineStores: engines.stores,
    log: silentLog,
    refreshMs: 10,
    monotonicMs: () => performance.now(),
    openWriter: async () => {
      steps.push('opened');
      const ending = async () => {
        steps.push('ends');
        await mayEnd.promise;
        steps.push('ended');
      };
      return Object.assign(index.writer(ENGINE), { [Symbol.asyncDispose]: ending });
    },
    removeIndex: async (engineId: number) => void steps.push(`removed ${engineId}`),
  };

  await put();
  const running = projectEngines(deps, stop.signal);
  await eventually(() => steps.includes('opened'));
  await system.store.changeRecords('test', [{ kind: 'remove-engine', id: ENGINE }], 0);
  await eventually(() => steps.includes('ends'));
  const before = looks;
  await put();
  await eventually(() => looks > before);
  mayEnd.resolve();
  await eventually(() => steps.length === 5);
  stop.abort();
  await running;

  expect(steps.slice(0, 5)).toEqual(['opened', 'ends', 'ended', 'removed 6', 'opened']);
});

test('engines are looked for again when the stores did not answer', async () => {
  await using engines = await temporaryEngineStores();
  await using system = await openSystem();
  await using index = createInMemoryIndex();
  await putEngine(system);
  const { store } = system;
  const stop = new AbortController();
  const opened = Promise.withResolvers<void>();
  let isAway = true;
  const listEngines = async () => {
    if (!isAway) return store.listEngines();
    isAway = false;
    throw new AppError('storage.unavailable', 'PostgreSQL does not answer');
  };

  const running = projectEngines(
    {
      accounts: { changeToken: store.changeToken, listEngines },
      engineStores: engines.stores,
      log: silentLog,
      refreshMs: 10,
      monotonicMs: () => performance.now(),
      openWriter: async () => {
        opened.resolve();
        return index.writer(ENGINE);
      },
    },
    stop.signal,
  );
  await Promise.race([opened.promise, running]);
  stop.abort();

  await expect(running).resolves.toBeUndefined();
});
