import { availableParallelism, totalmem } from 'node:os';
import { z } from 'zod';
import { ALERT_VARIABLES, mailProblems } from './alert-variables.ts';
import { ANSWER_VARIABLES, modelProblems } from './answer-variables.ts';
import { INDEX_VARIABLES } from './index-variables.ts';
import { oidcProblems, SIGN_IN_VARIABLES } from './sign-in-variables.ts';
import {
  about,
  attributePrefixes,
  flag,
  ocrLanguages,
  oneOf,
  origins,
  prefixWord,
  proxies,
  SECRET,
  text,
  url,
  type VariableMeta,
  whole,
} from './values.ts';

const HIGHEST_COUNT = 1_000_000;
const HIGHEST_BYTES = 1_073_741_824;
/** A shorter secret can be guessed. */
const MIN_SECRET_CHARS = 16;

/** Every variable of the environment and of `settings` in the provision file. What differs per engine is data. */
export const CONFIG = z
  .strictObject({
    DATA_DIR: about(text().default('./data'), 'General', 'Folder of all stored data, made with mode 700'),
    CONFIG_FILE: about(text().optional(), 'General', 'Provision file', {
      shownDefault: '`fossick.config.ts`, `.yaml` or `.json` in the working folder, when present',
    }),
    HOST: about(text().default('127.0.0.1'), 'General', 'Address that the api listens on; `0.0.0.0` for all'),
    PORT: about(whole(0, 65_535).default(8080), 'General', 'Port of the api; 0 takes a free one'),
    HEALTH_PORT: about(
      whole(0, 65_535).default(0),
      'General',
      'Health and metrics of a role that runs alone; 0 is off',
    ),
    ADMIN_PORT: about(
      whole(0, 65_535).default(0),
      'General',
      'Port of its own for `/admin`, which is closed on `PORT` then; 0 leaves it there',
    ),
    METRICS_PORT: about(
      whole(0, 65_535).default(0),
      'General',
      'Port of its own for `/metrics`, open to this machine without a token and closed on `PORT` then; 0 leaves it there, for the operator token alone',
    ),
    PUBLIC_URL: about(url(['http', 'https']).optional(), 'General', 'Address under which visitors reach the api', {
      shownDefault: 'address of the listener',
    }),
    REGION: about(
      oneOf(['any', 'eu', 'us']).default('any'),
      'General',
      'Customers that this installation answers for: `eu` ids below 10,000,000, `us` ids from there on',
    ),
    LOG_LEVEL: about(
      oneOf(['error', 'warn', 'info', 'debug', 'silent']).default('info'),
      'General',
      'Least urgent level that is logged',
    ),
    SETUP: about(
      oneOf(['on', 'off']).default('on'),
      'General',
      '`off` skips what `npm start` brings to a fresh machine',
    ),

    OPERATOR_TOKEN: about(text(MIN_SECRET_CHARS).optional(), 'Secrets', 'Token of the admin API', {
      ...SECRET,
      shownDefault: 'made at first start, in `DATA_DIR/operator-token`',
    }),
    QUERY_ID_SECRET: about(text(MIN_SECRET_CHARS).optional(), 'Secrets', 'Key that signs query ids', {
      ...SECRET,
      shownDefault: 'made at first start, in `system.db`',
    }),
    SECRETS_KEY: about(
      text(MIN_SECRET_CHARS).optional(),
      'Secrets',
      'Key that seals the passwords, headers and cookies of crawlers in the store; every role needs the same one',
      { ...SECRET, shownDefault: 'made at first start, in `DATA_DIR/secrets-key`' },
    ),

    DATABASE_URL: about(
      url(['postgres', 'postgresql']).optional(),
      'Stores',
      'PostgreSQL that holds the stores; TLS by its parameters (`?sslmode=verify-full`)',
      { ...SECRET, shownDefault: 'SQLite files in `DATA_DIR`' },
    ),
    DATABASE_CONNECTIONS: about(
      whole(2, 100).default(6),
      'Stores',
      'Connections to `DATABASE_URL` of each process, at most, beside one that watches the server; a third of them write',
    ),
    REDIS_URL: about(url(['redis', 'rediss', 'unix']).optional(), 'Stores', 'Redis that schedules crawling', {
      ...SECRET,
      shownDefault: 'a private Redis is started',
    }),

    ...INDEX_VARIABLES,

    CORS_ALLOWED_ORIGINS: about(
      origins().default(['*']),
      'CORS and access',
      'Origins whose pages may call the public API; an engine can narrow them',
    ),
    CORS_MANAGEMENT: about(flag().default(false), 'CORS and access', 'CORS headers on management endpoints as well'),
    PUBLIC_SETTINGS_ALLOW_BASIC: about(
      flag().default(false),
      'CORS and access',
      'Public settings also for scheme Basic',
    ),
    PUBLIC_SETTINGS_ALLOW_ANONYMOUS: about(
      flag().default(false),
      'CORS and access',
      'Public settings also without credentials',
    ),
    SEARCH_PAGE: about(
      oneOf(['on', 'off']).default('on'),
      'CORS and access',
      'Serves the search pages of engines that are published (engine setting `page`), and their documents as Markdown',
    ),
    FRONT_END_PREFIX: about(
      prefixWord().optional(),
      'CORS and access',
      'Prefix of an existing front end, such as `Acme`: sets `STREAM_HEADER_PREFIXES`, `HTML_HOOK_PREFIX`, `PUBLIC_SETTINGS_ALLOW_BASIC` and `PUBLIC_SETTINGS_ALLOW_ANONYMOUS` for it where they are not set, and leaves `citationFragments` of the engines of a first start off: docs/moving.md',
      { shownDefault: 'none' },
    ),
    TRUST_PROXY: about(
      proxies().default([]),
      'CORS and access',
      'Proxies whose `X-Forwarded-For` tells the caller of a rate limit: `off`, or addresses and networks',
      { shownDefault: 'off' },
    ),

    MAX_RESULT_WINDOW: about(
      whole(10, HIGHEST_COUNT).default(10_000),
      'Limits',
      'Highest `page` × `perPage` of a search',
    ),
    MAX_SEARCH_COST: about(
      whole(0, HIGHEST_COUNT).default(30_000),
      'Limits',
      'Most that one search may cost, estimated before it runs; 0 = any. Every 10 ms take one call of the rate of searches',
      { unit: 'ms of processor time' },
    ),
    MAX_QUESTION_CHARS: about(whole(1, 100_000).default(4_000), 'Limits', 'Longest question', { unit: 'characters' }),
    MAX_DOCUMENTS_PER_REQUEST: about(whole(1, 100_000).default(1_000), 'Limits', 'Documents of one request'),
    MAX_DOCUMENTS_BYTES: about(bytes(20_000_000), 'Limits', 'Body of a request with documents', { unit: 'bytes' }),
    MAX_DOCUMENT_BYTES: about(bytes(2_000_000), 'Limits', 'Text of one document', { unit: 'bytes' }),
    MAX_PATHS_PER_REQUEST: about(whole(1, 100_000).default(1_000), 'Limits', 'URLs of one queue request'),
    MAX_BODY_BYTES: about(bytes(1_000_000), 'Limits', 'Any other body', { unit: 'bytes' }),

    ...rate('SEARCH', 'PER_SECOND', [50, 200], 'search, autocomplete and public settings'),
    ...rate('AI', 'PER_MINUTE', [30, 10], 'AI Chat and AI Summary'),
    ...rate('TRACKING', 'PER_SECOND', [100, 200], 'tracking, feedback and clicks'),
    ...rate('MANAGEMENT', 'PER_SECOND', [20, 40], 'index management, crawlers and search tools'),

    SEARCH_THREADS: about(
      whole(0, 64).default(Math.min(availableParallelism(), 8)),
      'Search',
      'Threads that search; 0 searches on the event loop',
      { shownDefault: 'cores, at most 8' },
    ),
    INDEX_REFRESH_MS: about(whole(10, 60_000).default(100), 'Search', 'Pause between two published states', {
      unit: 'ms',
    }),
    INDEX_MEMORY_MB: about(
      whole(16, 16_777_216).default(halfOfMemoryMb()),
      'Search',
      'Memory of the indexes that the api holds; over it the engines used longest ago are closed until they are searched',
      { unit: 'MB', shownDefault: 'half of the memory' },
    ),
    RELATED_MIN_COUNT: about(
      whole(1, HIGHEST_COUNT).default(2),
      'Search',
      'Times a query was sent before other visitors see it as a suggestion or related search',
    ),
    HTML_HOOK_PREFIX: about(
      attributePrefixes().default(['data-search']),
      'Search',
      'Prefixes of the attributes in `JsonHtml` answers: every hook comes once per prefix',
    ),

    ...ANSWER_VARIABLES,

    CRAWL_PROCESSES: about(whole(0, 64).default(1), 'Crawl', 'Crawl processes that `npm start` runs'),
    CRAWL_CONCURRENCY: about(whole(1, 1_000).default(16), 'Crawl', 'Visits at once in a crawl process'),
    CRAWL_HOST_DELAY_MS: about(
      whole(0, 3_600_000).default(500),
      'Crawl',
      'Pause between two visits of a host: default of the crawlers’ `politeness.delayMs`',
      { unit: 'ms' },
    ),
    CRAWL_CONTACT_URL: about(url(['http', 'https']).optional(), 'Crawl', 'Address that the user agent names', {
      shownDefault: 'none',
    }),
    CRAWL_ALLOW_PRIVATE_NETWORKS: about(
      flag().default(false),
      'Crawl',
      'Whether crawlers may visit private and loopback addresses',
    ),
    RENDER_CONCURRENCY: about(whole(1, 64).default(2), 'Crawl', 'Pages in browsers at once, over all crawl processes'),
    CHROMIUM_PATH: about(text().optional(), 'Crawl', 'Browser that renders pages made by scripts', {
      shownDefault: 'the Chromium or Chrome of the system, or Playwright’s own',
    }),
    CHROMIUM_SANDBOX: about(
      flag().default(true),
      'Crawl',
      'Chromium’s own isolation of pages; it cannot run as root, nor where user namespaces are forbidden (most containers)',
    ),
    PARSER_PROCESSES: about(whole(1, 64).default(2), 'Crawl', 'Processes that parse files'),
    PARSER_TIMEOUT_MS: about(
      whole(100, 600_000).default(20_000),
      'Crawl',
      'Processor time of a file in its parsers; ten times as much by the clock',
      { unit: 'ms' },
    ),
    PARSER_MEMORY_MB: about(whole(64, 65_536).default(512), 'Crawl', 'Memory of a parser process', { unit: 'MiB' }),
    OCR: about(
      oneOf(['off', 'tesseract']).default('off'),
      'Crawl',
      'What reads pages of PDF files that are pictures: `tesseract`, the installed command, else the package `tesseract.js`',
    ),
    OCR_LANGUAGES: about(
      ocrLanguages().default('eng'),
      'Crawl',
      'Languages of such pages by their names at Tesseract, as `eng+deu`; each needs its data',
    ),
    OCR_PAGES: about(whole(1, 2_000).default(20), 'Crawl', 'Pictures that are read of one file'),
    CONTENT_MODEL_PATH: about(text().optional(), 'Crawl', 'Weights that choose the main text of pages', {
      shownDefault: 'built in',
    }),

    TRACKING_RETENTION_DAYS: about(
      whole(1, 3_650).default(400),
      'Keeping',
      'Age at which queries, clicks and feedback are dropped, with their statistics',
      { unit: 'days' },
    ),
    BACKUP_EVERY_HOURS: about(
      whole(0, 8_760).default(24),
      'Keeping',
      'Time between two backups that the scheduler writes; 0 is off',
      { unit: 'hours' },
    ),
    BACKUP_KEEP: about(
      whole(1, 1_000).default(3),
      'Keeping',
      'Backups of the scheduler that stay; older ones are removed',
    ),
    BACKUP_FOLDER: about(text().optional(), 'Keeping', 'Folder of those backups; best on another disk', {
      shownDefault: '`DATA_DIR/backups`',
    }),
    TRACKING_ANONYMIZE_IP: about(flag().default(false), 'Keeping', 'Zeroes the last part of stored addresses'),

    ...SIGN_IN_VARIABLES,
    ...ALERT_VARIABLES,
  })
  .superRefine((config, context) => {
    for (const { path, message } of [...modelProblems(config), ...mailProblems(config), ...oidcProblems(config)]) {
      context.addIssue({ code: 'custom', path: [path], message });
    }
  });

export type Config = Readonly<z.infer<typeof CONFIG>>;
export type VariableName = keyof Config;
export const VARIABLE_NAMES = Object.keys(CONFIG.shape) as readonly VariableName[];

export function metaOf(name: VariableName): VariableMeta {
  return CONFIG.shape[name].meta() as VariableMeta;
}

/** The values of all variables; of a secret only whether it is `set`. */
export function shownConfig(config: Config): Readonly<Record<VariableName, unknown>> {
  const shown = VARIABLE_NAMES.map((name) => [
    name,
    metaOf(name).secret === true && config[name] !== undefined ? 'set' : (config[name] ?? null),
  ]);
  return Object.fromEntries(shown) as Readonly<Record<VariableName, unknown>>;
}

function bytes(byDefault: number) {
  return whole(1, HIGHEST_BYTES).default(byDefault);
}

type RateUnit = 'PER_SECOND' | 'PER_MINUTE';
type Count = ReturnType<typeof count>;

function rate<Name extends string, Unit extends RateUnit>(
  name: Name,
  unit: Unit,
  [perUnit, burst]: readonly [number, number],
  what: string,
): { readonly [Key in `RATE_${Name}_${Unit}` | `RATE_${Name}_BURST`]: Count } {
  const shownUnit = unit.toLowerCase().replace('_', ' ');
  const variables = {
    [`RATE_${name}_${unit}`]: about(count(perUnit), 'Rates', `Requests of one caller: ${what}; 0 is off`, {
      unit: shownUnit,
    }),
    [`RATE_${name}_BURST`]: about(count(burst), 'Rates', `Requests at once of one caller: ${what}`),
  };
  return variables as { readonly [Key in `RATE_${Name}_${Unit}` | `RATE_${Name}_BURST`]: Count };
}

function count(byDefault: number) {
  return whole(0, HIGHEST_COUNT).default(byDefault);
}

/** Of the machine, or of the container when it has less. */
function halfOfMemoryMb(): number {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.max(64, Math.floor(bytes / 2 / 2 ** 20));
}
