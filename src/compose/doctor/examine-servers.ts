import type { Config } from '../../config/config.ts';
import { machineIdPath, readSecretFile } from '../../config/secret-file.ts';
import { toAppError } from '../../core/errors.ts';
import { type Check, type Finding, finding } from '../../health/health.ts';
import { databaseDown, indexDown } from '../../health/store-checks.ts';
import { createLogger } from '../../observability/logger.ts';
import type { ExaminedStores } from '../../storage/postgres/examine-database.ts';
import { unsharedRedis } from '../redis.ts';
import { indexServerFault } from '../search-index.ts';
import { KEY_PROBE, otherKey } from '../secrets.ts';
import { machineIdOf } from '../stores.ts';

export const SILENT = createLogger({ level: 'silent', name: 'doctor' });

export type StoredCrawler = ExaminedStores['crawlers'][number];

/** What this machine shares with others, as far as the configuration names it. */
export type ExaminedServers = {
  readonly checks: readonly (Check & { readonly part: string })[];
  /** None of a database that cannot be read, or holds no stores. */
  readonly crawlers: () => Promise<StoredCrawler[]>;
};

/** Looks at PostgreSQL, at what its machines have to have in common, and at OpenSearch; each is asked once. */
export function examineServers(config: Config): ExaminedServers {
  const { DATABASE_URL: url, OPENSEARCH_URL: nodes } = config;
  const looked = url === undefined ? undefined : lookAt(url);
  const part = (name: string, look: Check['look']) => ({ part: name, name, look });
  return {
    checks: [
      ...(looked === undefined
        ? []
        : [
            part('PostgreSQL', async () => {
              const { fault } = await looked;
              return fault === undefined ? [] : [databaseDown(fault)];
            }),
            part('machines', async () => {
              const { stores } = await looked;
              return stores === undefined ? [] : machineFindings(config, stores);
            }),
          ]),
      ...(nodes === undefined ? [] : [part('OpenSearch', async () => indexFindings(config))]),
    ],
    crawlers: async () => [...((await looked)?.stores?.crawlers ?? [])],
  };
}

type Seen = {
  /** Why the database cannot be used, in words. */
  readonly fault: string | undefined;
  /** Undefined: it cannot be used, or holds none. */
  readonly stores: ExaminedStores | undefined;
};

async function lookAt(url: string): Promise<Seen> {
  // Loaded for this tier alone.
  const { examineDatabase } = await import('../../storage/postgres/examine-database.ts');
  return examineDatabase({ url, log: SILENT, name: KEY_PROBE }).then(
    (stores) => ({ fault: undefined, stores }),
    (error: unknown) => ({ fault: toAppError(error).message, stores: undefined }),
  );
}

/** What a start beside the other machines would refuse. */
async function machineFindings(config: Config, { living, remembered: probe }: ExaminedStores) {
  const found: Finding[] = [];
  const key = probe === undefined ? undefined : await otherKey(config, probe);
  if (key !== undefined) {
    found.push(finding('secrets-key', { subject: 'secrets-key', sentence: key.sentence, command: key.mend }));
  }
  const id = await readSecretFile(machineIdPath(config.DATA_DIR));
  const own = id === undefined ? undefined : machineIdOf(id);
  const redis = unsharedRedis(
    config,
    living.filter(({ machine }) => machine.id !== own),
  );
  if (redis !== undefined) {
    found.push(finding('redis-unshared', { subject: 'redis', sentence: redis.sentence, command: redis.mend }));
  }
  return found;
}

async function indexFindings(config: Config): Promise<readonly Finding[]> {
  const fault = await indexServerFault(config).catch((error: unknown) => toAppError(error).message);
  return fault === undefined ? [] : [indexDown(fault)];
}
