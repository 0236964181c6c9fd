import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ENGINE_SETTINGS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import { installationStatus } from '../../src/accounts/installation-status.ts';
import { openApiDeps } from '../../src/compose/api.ts';
import { indexFolder, openStores } from '../../src/compose/stores.ts';
import { CONFIG } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { NewDocument } from '../../src/core/document.ts';
import { projectEngine } from '../../src/indexing/project-engines.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { readManifest } from '../../src/search-index/embedded/manifest.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import type { RecordChange } from '../../src/storage/system/accounts.ts';
import { eventually } from '../../test/helpers/eventually.ts';

const HELP = `usage: node_modules/.bin/node scripts/bench/health-rounds.ts [--engines 1000] [--documents 50] [--seconds 60]

What looking at an installation of many engines costs the api: looks at the health as \`status\` and the webhook see it,
metrics, and \`fossick status\` itself. Prints the share of a core and the longest hold of the event loop.
`;

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: '1000' },
    documents: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const LOOK_EVERY_MS = 5_000;
/** Until all engines were looked at for the first time. */
const WARM_UP_LOOKS = 60;
const engineIds = Array.from({ length: Number(values.engines) }, (_, index) => index + 1);
const log = createLogger({ level: 'error', name: 'health-rounds' });
const folder = await mkdtemp(join(tmpdir(), 'fossick-health-rounds-'));
try {
  await makeInstallation(folder);
  await measure(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

/** Engine 1 with documents and an index, and copies of it. */
async function makeInstallation(dataDir: string): Promise<void> {
  const records = engineIds.flatMap((id): RecordChange[] => [
    {
      kind: 'put-engine',
      id,
      customerId: 1,
      name: `Engine ${id}`,
      language: 'en',
      settings: ENGINE_SETTINGS.parse({}),
      publicSettings: PUBLIC_DEFAULTS,
    },
    { kind: 'put-crawler', id, engineId: id, name: `Crawler ${id}`, config: { seeds: ['http://127.0.0.1:1/'] } },
    { kind: 'set-crawler-active', id, active: true },
  ]);
  await using stores = await openStores({ DATA_DIR: dataDir }, log);
  await stores.systemStore.changeRecords('bench', [{ kind: 'put-customer', id: 1, name: 'One' }, ...records], 1);
  const store = await stores.engineStores.of(1);
  const documents = Array.from(
    { length: Number(values.documents) },
    (_, index): NewDocument => ({
      id: `d${index}`,
      kind: 'PageContent',
      origin: 'pushed',
      language: 'en',
      fields: new Map([
        ['Title', [`Document ${index}`]],
        ['Content', ['Text of a document.']],
      ]),
    }),
  );
  await store.putDocuments(1, documents, 1);
  const directory = indexFolder(dataDir, 1);
  await using writer = await openEmbeddedWriter({
    directory,
    source: store,
    language: 'en',
    clock: systemClock,
    log,
  });
  const stop = new AbortController();
  const monotonicMs = () => performance.now();
  const running = projectEngine({ store, writer, log, refreshMs: 10, monotonicMs }, stop.signal);
  await eventually(async () => (await readManifest(directory))?.seq === (await store.lastSeq()));
  stop.abort();
  await running;
  await writer[Symbol.asyncDispose]();
  await stores[Symbol.asyncDispose]();
  for (const id of engineIds.slice(1)) {
    await cp(join(dataDir, 'engines/1'), join(dataDir, `engines/${id}`), { recursive: true });
  }
}

async function measure(dataDir: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const config = CONFIG.parse({ DATA_DIR: dataDir });
  const deps = await openApiDeps(stack, { config, log, name: 'api', metrics: createMetrics() });
  const statusDeps = { ...deps, store: deps.systemStore, clock: systemClock };
  const began = performance.now();
  for (let look = 0; look < WARM_UP_LOOKS; look++) {
    await deps.health.findings();
    await rest(LOOK_EVERY_MS / 10);
  }
  console.log(
    `all engines were looked at within ${Math.round((performance.now() - began) / 1_000)} s of looking often`,
  );
  const looks = Math.ceil((Number(values.seconds) * 1_000) / LOOK_EVERY_MS);
  await report('looks at the health', looks, () => deps.health.findings());
  await report('with metrics', looks, () => deps.printMetrics());
  await report('with fossick status', looks, () => installationStatus(statusDeps));
  await report('with the question whether it is ready', looks, () => deps.readiness());
}

/** Each is done once in five seconds. */
async function report(name: string, looks: number, look: () => Promise<unknown>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.cpuUsage();
  const startedAt = performance.now();
  delay.enable();
  for (let done = 0; done < looks; done++) {
    const beganAt = performance.now();
    await look();
    await rest(Math.max(0, LOOK_EVERY_MS - (performance.now() - beganAt)));
  }
  delay.disable();
  const { user, system } = process.cpuUsage(before);
  const share = (user + system) / 1_000 / (performance.now() - startedAt);
  const [longest, p99] = [delay.max / 1e6, delay.percentile(99) / 1e6];
  console.log(
    `${name}: ${(share * 100).toFixed(2)} % of a core, longest turn ${longest.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
}
