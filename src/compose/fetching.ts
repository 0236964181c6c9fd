import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { steadyClock, systemClock } from '../core/clock.ts';
import { invalidRequest } from '../core/errors.ts';
import type { Extract } from '../crawl/visit/visit-url.ts';
import { extract } from '../extract/extract.ts';
import { createParserPool } from '../extract/files/parser-pool.ts';
import { type ContentModel, readContentModel } from '../extract/html/content-model.ts';
import { fallBackToLinearTime } from '../extract/linear-fallback.ts';
import type { EgressGate } from '../fetch/egress-gate.ts';
import type { Fetcher, FileSpool } from '../fetch/fetcher.ts';
import { createEgressGate } from '../fetch/gate/create-egress-gate.ts';
import { systemResolve } from '../fetch/gate/resolve-cache.ts';
import { cleanFileSpool, createFileSpool } from '../fetch/http/create-file-spool.ts';
import { createHttpFetcher } from '../fetch/http/create-http-fetcher.ts';
import { repeat } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import { configuredOcr } from './configured-ocr.ts';
import { productVersion } from './product-files.ts';

export type Fetching = {
  /** Refuses private networks and the ports of this installation. */
  readonly gate: EgressGate;
  readonly ownPorts: Set<number>;
  readonly userAgent: string;
  readonly fetcher: Fetcher;
  /** Of the fetcher: bodies of files and lists. */
  readonly spoolFolder: string;
};

/** What reaches the web in a role. */
export function openFetching(stack: AsyncDisposableStack, config: Config): Fetching {
  const ownPorts = portsOf(config);
  const gate = createEgressGate({
    clock: steadyClock,
    resolve: systemResolve,
    allowPrivateNetworks: config.CRAWL_ALLOW_PRIVATE_NETWORKS,
    ownPorts,
  });
  const [major = '0'] = productVersion().split('.');
  const contact = config.CRAWL_CONTACT_URL === undefined ? '' : ` (+${config.CRAWL_CONTACT_URL})`;
  const userAgent = `FossickBot/${major}${contact}`;
  const identity = { userAgent, from: undefined };
  const spoolFolder = join(config.DATA_DIR, 'spool');
  const fetcher = stack.use(createHttpFetcher({ gate, clock: systemClock, identity, spoolFolder }));
  return { gate, ownPorts, userAgent, fetcher, spoolFolder };
}

/** Where this installation listens; Redis too, wherever it runs. */
function portsOf({ PORT, ADMIN_PORT, METRICS_PORT, HEALTH_PORT, REDIS_URL = '' }: Config): Set<number> {
  const redisPort = Number(URL.parse(REDIS_URL)?.port) || REDIS_PORT;
  return new Set([PORT, ADMIN_PORT, METRICS_PORT, HEALTH_PORT, redisPort]);
}

/** Where Redis listens unless it is told otherwise. */
const REDIS_PORT = 6_379;

const SPOOL_BYTES = 2 ** 31;
const SPOOL_RETENTION_MS = 24 * 3_600_000;
const CLEAN_EVERY_MS = 3_600_000;

/** Files between fetch and parsing, and what keeps their folder clean. */
export function openSpool(
  stack: AsyncDisposableStack,
  { spoolFolder: folder, log }: Pick<Fetching, 'spoolFolder'> & { readonly log: Log },
): FileSpool {
  const stop = new AbortController();
  const of = { log, name: 'spool cleaning', pauseMs: CLEAN_EVERY_MS, signal: stop.signal };
  const cleaning = repeat(of, () => cleanFileSpool({ clock: systemClock }, { folder, keptMs: SPOOL_RETENTION_MS }));
  stack.defer(async () => {
    stop.abort();
    await cleaning;
  });
  return createFileSpool({ folder, boundBytes: SPOOL_BYTES });
}

export type Extracting = {
  readonly extract: Extract;
  /** Children that were killed over a file or died, by reason; it grows. */
  readonly parserKills: ReadonlyMap<string, number>;
};

/** Files go to children that start when there is one to read. */
export function openExtract(stack: AsyncDisposableStack, config: Config): Extracting {
  fallBackToLinearTime();
  const pool = stack.use(
    createParserPool({
      processes: config.PARSER_PROCESSES,
      timeoutMs: config.PARSER_TIMEOUT_MS,
      memoryMb: config.PARSER_MEMORY_MB,
      ocr: configuredOcr(config),
    }),
  );
  const contentModel = chosenContentModel(config);
  return {
    extract: (input, signal) => extract({ parseFile: pool.parseFile, contentModel }, input, signal),
    parserKills: pool.kills,
  };
}

/**
 * The weights of `CONTENT_MODEL_PATH`, undefined when the built-in ones are meant.
 * @throws AppError `request.invalid` when the file cannot be read or is none
 */
function chosenContentModel({ CONTENT_MODEL_PATH: path }: Config): ContentModel | undefined {
  if (path === undefined) return undefined;
  try {
    return readContentModel(path);
  } catch (cause) {
    throw invalidRequest([{ path: 'CONTENT_MODEL_PATH', message: `CONTENT_MODEL_PATH: ${faultOf(path, cause)}` }]);
  }
}

function faultOf(path: string, cause: unknown): string {
  if (cause instanceof TypeError) return cause.message;
  return `${path} ${cause instanceof SyntaxError ? 'is no content model: it is no JSON' : 'cannot be read'}`;
}
