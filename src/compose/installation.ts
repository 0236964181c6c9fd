import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { alertTargetParser } from '../accounts/alert-target-settings.ts';
import { applyProvision } from '../accounts/apply-provision.ts';
import { inviteFirstOperator, LINK_PATH } from '../accounts/first-operator.ts';
import { type FirstStartDeps, firstStart, type StartingPoint } from '../accounts/first-start.ts';
import { queryIdSecret } from '../accounts/secret-box.ts';
import type { Config } from '../config/config.ts';
import { type ConfigFile, locateProblems } from '../config/config-file.ts';
import {
  firstLinkPath,
  keepSecretFile,
  operatorTokenPath,
  readSecretFile,
  replaceSecretFile,
} from '../config/secret-file.ts';
import { systemClock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { operatorSettingsParser } from '../crawl/parse-operator-settings.ts';
import { redisAnswers } from '../jobs/redis-answers.ts';
import type { Log } from '../observability/logger.ts';
import type { ProcessRegistry } from '../storage/process-registry.ts';
import type { SystemStore } from '../storage/system-store.ts';
import { provisioning } from './provisioning.ts';
import { unsharedRedis } from './redis.ts';
import { openSecretBox } from './secrets.ts';
import { openStores } from './stores.ts';

/** @throws Error that says what to do when the Redis of the operator does not answer */
export async function requireRedis(url: string, log: Log): Promise<void> {
  if (await redisAnswers(url, log)) return;
  throw new Error('the Redis of REDIS_URL does not answer: start it, or unset REDIS_URL for a private one');
}

/** Work of a crawl is divided up in Redis: one that a single machine reaches would leave out the others. */
async function requireSharedRedis(config: Config, processes: ProcessRegistry): Promise<void> {
  const others = (await processes.living()).filter(({ machine }) => machine.id !== processes.machine.id);
  const fault = unsharedRedis(config, others);
  if (fault !== undefined) throw new Error(`${fault.sentence}: ${fault.mend}`);
}

/**
 * Makes stores, secrets and the records of the provision file; doing it again changes nothing.
 * @throws Error with a line for every mistake of the provision file, naming file and line
 */
export async function prepareInstallation(input: {
  readonly config: Config;
  readonly file: ConfigFile | undefined;
  readonly log: Log;
}): Promise<void> {
  const { config, file, log } = input;
  await using stores = await openStores(config, log);
  const { systemStore, processes } = stores;
  await requireSharedRedis(config, processes);
  if (config.OPERATOR_TOKEN === undefined) await keepSecretFile(operatorTokenPath(config.DATA_DIR));
  await queryIdSecret({ store: systemStore }, config.QUERY_ID_SECRET);
  const box = await openSecretBox(config);
  if (file === undefined) return;
  const deps = provisioning({
    store: systemStore,
    accounts: { drop: () => undefined },
    parseCrawlerSettings: operatorSettingsParser(box),
    parseAlertTarget: alertTargetParser(box),
    wake: () => undefined,
    // A start waits for no name server: the status of a crawler says which names were refused.
    unmarkedNames: async () => [],
  });
  // No index is open yet: pages that the file names are looked up by the api, when it plans and checks.
  const applied = await applyProvision({ ...deps, findPage: undefined }, file).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'storage.full') return withPlaces(file, error);
    log.error(
      { err: error, file: file.name },
      'the provision file has changes that cannot be stored: start again with room',
    );
    return { planned: [], warnings: [] };
  });
  const { planned, warnings } = applied;
  for (const warning of warnings) log.warn({ file: file.name, warning }, 'provision file warning');
  if (planned.length > 0) log.info({ file: file.name, changes: planned.length }, 'provision file applied');
}

/** Where a newcomer begins, and by which link the first operator signs in; undefined when there is somebody. */
export type Beginning = { readonly start: StartingPoint | undefined; readonly firstLink: string | undefined };

type InstallationContext = {
  readonly config: Config;
  /** Where the api is. */
  readonly address: string;
  readonly log: Log;
};

/** Begins with the records of the provision file, else the sample site or the site of the command line. */
export async function openInstallation({
  site,
  identify,
  ...context
}: InstallationContext & Pick<FirstStartDeps, 'identify'> & { readonly site: string | undefined }): Promise<Beginning> {
  const { config, address, log } = context;
  await using stores = await openStores(config, log);
  const deps = {
    accounts: stores.systemStore,
    clock: systemClock,
    parseCrawlerSettings: operatorSettingsParser(await openSecretBox(config)),
    citationFragments: config.FRONT_END_PREFIX === undefined,
    demoKey: () => keepSecretFile(join(resolve(config.DATA_DIR), 'demo-api-key')),
    identify,
  };
  const start = await firstStart(deps, { sampleSeed: `${address}/sample/index.html`, site });
  return { start, firstLink: await keepFirstLink(stores.systemStore, context) };
}

/**
 * The link is in a file of the data folder as long as it opens something: logs of services are read by many. Without
 * room for it the product starts all the same.
 */
async function keepFirstLink(
  store: SystemStore,
  { config, address, log }: InstallationContext,
): Promise<string | undefined> {
  const path = firstLinkPath(config.DATA_DIR);
  try {
    const known = await readSecretFile(path);
    const token = await inviteFirstOperator({ store, clock: systemClock }, known?.split('#')[1]);
    if (token === undefined) {
      await rm(path, { force: true });
      return undefined;
    }
    const link = new URL(`${LINK_PATH}${token}`, adminAddress(config, address)).href;
    if (link !== known) await replaceSecretFile(path, link);
    return link;
  } catch (err) {
    log.warn({ err }, 'the link of the first operator could not be stored');
    return undefined;
  }
}

/** Where somebody opens the admin pages. */
function adminAddress(config: Config, address: string): string {
  return config.ADMIN_PORT === 0 ? (config.PUBLIC_URL ?? address) : adminOnMachine(config, address);
}

/** Of the admin API on this machine, which may have a port of its own. */
export function adminOnMachine({ ADMIN_PORT: port }: Config, address: string): string {
  if (port === 0) return address;
  const own = new URL(address);
  own.port = String(port);
  return own.href;
}

function withPlaces(file: ConfigFile, error: unknown): never {
  const problems = error instanceof AppError ? error.options.problems : undefined;
  if (problems === undefined) throw error;
  throw new Error(locateProblems(file, problems).join('\n'), { cause: error });
}
