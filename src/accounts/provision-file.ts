import { z } from 'zod';
import { distinctWords } from '../core/distinct-words.ts';
import { AppError, invalidRequest, type Problem } from '../core/errors.ts';
import type { EngineSettings, KeyScope, PublicSettings } from '../core/records.ts';
import { LANGUAGE, RECORD_ID, RECORD_NAME } from './account-change.ts';
import { ENGINE_SETTINGS, PUBLIC_SETTINGS } from './engine-settings.ts';
import { digestOf, last4Of, SCOPES } from './manage-keys.ts';
import { check, pathText, problemAt } from './problems.ts';
import { ENGINE_TOOLS, type WantedTools } from './provision-tools.ts';
import { SYNONYMS } from './tool-settings.ts';

/**
 * Checked settings of a crawler, with its defaults and its secrets sealed. `beside` names members that stand beside
 * them; `present` are the stored settings of the crawler, for secrets that are kept.
 * @throws AppError `request.invalid` with paths below the settings
 */
export type ParseCrawlerSettings = (
  settings: Readonly<Record<string, unknown>>,
  beside?: readonly string[],
  present?: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

/** A provision file, read but unchecked. */
export type ProvisionFile = {
  /** What its records are managed by. */
  readonly name: string;
  readonly content: unknown;
};

export type ProvisionDeps = {
  readonly parseCrawlerSettings: ParseCrawlerSettings;
  /** The variable of the environment, for keys that are given as `fromEnv`. */
  readonly readVariable: (name: string) => string | undefined;
};

type MemberPath = readonly (string | number)[];
type Placed = { readonly path: MemberPath };

/** A shorter key can be guessed. */
export const MIN_KEY_CHARS = 16;

export type WantedKey = Placed & {
  readonly name: string;
  readonly sha256: string;
  readonly last4: string;
  readonly expiresAt: number | undefined;
  readonly scopes: readonly KeyScope[] | undefined;
  /** Given as `value`: the file holds the key itself. */
  readonly isClearText: boolean;
  /** Short enough to be guessed; of a key that is given as its hash nobody knows. */
  readonly isShort: boolean;
};
export type WantedEngine = Placed & {
  readonly id: number;
  readonly name: string;
  readonly language: string;
  readonly settings: EngineSettings;
  readonly publicSettings: PublicSettings;
  readonly tools: WantedTools;
};
export type WantedCrawler = Placed & {
  readonly id: number;
  readonly engineId: number;
  readonly name: string;
  readonly active: boolean;
  readonly config: Readonly<Record<string, unknown>>;
};
export type WantedCustomer = Placed & {
  readonly id: number;
  readonly name: string;
  readonly keys: readonly WantedKey[];
  readonly engines: readonly WantedEngine[];
  readonly crawlers: readonly WantedCrawler[];
  readonly synonyms: readonly { readonly language: string; readonly words: readonly string[] }[];
};

const VERSION = 1;

const KEY = z
  .strictObject({
    name: RECORD_NAME,
    fromEnv: z.string().min(1).optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
      .optional(),
    value: z.string().min(1).optional(),
    expiresAt: z.iso.datetime({ offset: true }).optional(),
    scopes: SCOPES.optional(),
  })
  .refine(({ fromEnv, sha256, value }) => [fromEnv, sha256, value].filter((form) => form !== undefined).length === 1, {
    message: 'needs exactly one of fromEnv, sha256, value',
  });

const ENGINE = z.looseObject({
  id: RECORD_ID,
  name: RECORD_NAME.optional(),
  language: LANGUAGE.default('en'),
  publicSettings: z.unknown().optional(),
  rankings: z.unknown().optional(),
  banners: z.unknown().optional(),
  quicklinks: z.unknown().optional(),
  hiddenPages: z.unknown().optional(),
});
const CRAWLER = z.looseObject({
  id: RECORD_ID,
  engine: RECORD_ID,
  name: RECORD_NAME.optional(),
  active: z.boolean().default(false),
});

const FILE = z.strictObject({
  version: z.literal(VERSION, `must be ${VERSION}: a file of a later version needs a later program`),
  // Read by the configuration, which knows the names.
  settings: z.unknown().optional(),
  // Read by provision-alert-targets.ts.
  alertTargets: z.unknown().optional(),
  // Read by provision-people.ts.
  people: z.unknown().optional(),
  customers: z
    .array(
      z.strictObject({
        id: RECORD_ID,
        name: RECORD_NAME.optional(),
        keys: z.array(KEY).default([]),
        engines: z.array(ENGINE).default([]),
        crawlers: z.array(CRAWLER).default([]),
        synonyms: z.array(SYNONYMS).default([]),
      }),
    )
    .default([]),
});

type FileCustomer = z.infer<typeof FILE>['customers'][number];
/** Stored settings by the id of their crawler. */
type PresentSettings = ReadonlyMap<number, { readonly config: Readonly<Record<string, unknown>> }>;
type Reading = ProvisionDeps & { readonly problems: Problem[]; readonly present: PresentSettings };

/**
 * The wanted records of a file, with defaults filled in.
 * @throws AppError `request.invalid` with every mistake and the path of its member
 */
export function readProvisionFile(
  deps: ProvisionDeps,
  content: unknown,
  present: PresentSettings = new Map(),
): readonly WantedCustomer[] {
  const reading: Reading = { ...deps, present, problems: [] };
  const checked = check(FILE, content);
  if (!checked.isRight) throw invalidRequest([...checked.problems, ...settingProblems(reading, content)]);
  const file = checked.value;
  const customers = file.customers.map((customer, index) => readCustomer(reading, customer, index));
  const { problems } = reading;
  problems.push(
    ...repeated(customers, 'customer'),
    ...repeated(
      customers.flatMap(({ engines }) => engines),
      'engine',
    ),
    ...repeated(
      customers.flatMap(({ crawlers }) => crawlers),
      'crawler',
    ),
    ...customers.flatMap(({ keys }) => repeatedKeys(keys)),
  );
  if (problems.length > 0) throw invalidRequest(problems);
  return customers;
}

/** Of what is whole in a file with faults: settings of engines and crawlers, so that all is told at once. */
function settingProblems(reading: Reading, content: unknown): readonly Problem[] {
  for (const [index, customer] of listIn(content, 'customers').entries()) {
    const path = ['customers', index];
    for (const [place, sent] of listIn(customer, 'engines').entries()) {
      const engine = ENGINE.safeParse(sent);
      if (engine.success) readEngine(reading, engine.data, [...path, 'engines', place]);
    }
    for (const [place, sent] of listIn(customer, 'crawlers').entries()) {
      const crawler = CRAWLER.safeParse(sent);
      if (crawler.success) readCrawler(reading, crawler.data, [...path, 'crawlers', place]);
    }
  }
  return reading.problems;
}

function listIn(value: unknown, member: string): readonly unknown[] {
  const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[member] : undefined;
  return Array.isArray(list) ? list : [];
}

function readCustomer(reading: Reading, customer: FileCustomer, index: number): WantedCustomer {
  const path = ['customers', index];
  return {
    path,
    id: customer.id,
    name: customer.name ?? `Customer ${customer.id}`,
    keys: customer.keys.flatMap((key, index) => readKey(reading, key, [...path, 'keys', index])),
    engines: customer.engines.flatMap((engine, index) => readEngine(reading, engine, [...path, 'engines', index])),
    crawlers: customer.crawlers.flatMap((crawler, index) =>
      readCrawler(reading, crawler, [...path, 'crawlers', index]),
    ),
    synonyms: customer.synonyms.map(({ language, words }) => ({ language, words: distinctWords(words) })),
  };
}

function readKey(reading: Reading, key: FileCustomer['keys'][number], path: MemberPath): WantedKey[] {
  const { name, fromEnv, sha256, value, scopes } = key;
  const clear = fromEnv === undefined ? value : reading.readVariable(fromEnv)?.trim();
  if (fromEnv !== undefined && !clear) {
    reading.problems.push(
      problemAt([...path, 'fromEnv'], `${fromEnv} is not set in the environment that the product was started with`),
    );
    return [];
  }
  const expiresAt = key.expiresAt === undefined ? undefined : Date.parse(key.expiresAt);
  const digest = clear === undefined ? (sha256 ?? '').toLowerCase() : digestOf(clear);
  const last4 = clear === undefined ? '' : last4Of(clear);
  const isShort = clear !== undefined && clear.length < MIN_KEY_CHARS;
  return [{ path, name, sha256: digest, last4, expiresAt, scopes, isClearText: value !== undefined, isShort }];
}

function readEngine(reading: Reading, engine: FileCustomer['engines'][number], path: MemberPath): WantedEngine[] {
  const { id, name = `Engine ${engine.id}`, language, publicSettings, ...more } = engine;
  const { rankings, banners, quicklinks, hiddenPages, ...members } = more;
  const settings = check(ENGINE_SETTINGS, members, { path, beside: Object.keys(ENGINE.shape) });
  const shown = check(PUBLIC_SETTINGS, publicSettings ?? {}, { path: [...path, 'publicSettings'] });
  if (!settings.isRight) reading.problems.push(...settings.problems);
  const tools = check(ENGINE_TOOLS, { rankings, banners, quicklinks, hiddenPages }, { path });
  if (!shown.isRight) reading.problems.push(...shown.problems);
  if (!tools.isRight) reading.problems.push(...tools.problems);
  if (!settings.isRight || !shown.isRight || !tools.isRight) return [];
  const checked = { settings: settings.value, publicSettings: shown.value, tools: tools.value };
  return [{ path, id, name, language, ...checked }];
}

function readCrawler(reading: Reading, crawler: FileCustomer['crawlers'][number], path: MemberPath): WantedCrawler[] {
  const { id, engine, name = `Crawler ${crawler.id}`, active, ...members } = crawler;
  try {
    const config = reading.parseCrawlerSettings(members, Object.keys(CRAWLER.shape), reading.present.get(id)?.config);
    return [{ path, id, engineId: engine, name, active, config }];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const below = (error.options.problems ?? []).map((problem) => ({
      path: `${pathText(path)}.${problem.path}`,
      message: `${pathText(path)}.${problem.message}`,
    }));
    reading.problems.push(...(below.length > 0 ? below : [problemAt(path, error.message)]));
    return [];
  }
}

function repeated(records: readonly (Placed & { readonly id: number })[], noun: string): readonly Problem[] {
  const seen = new Set<number>();
  return records.flatMap((record) => {
    if (!seen.has(record.id)) {
      seen.add(record.id);
      return [];
    }
    return [problemAt([...record.path, 'id'], `there is another ${noun} ${record.id} in the file`)];
  });
}

function repeatedKeys(keys: readonly WantedKey[]): readonly Problem[] {
  return keys.flatMap((key, index) => {
    const sameKey = keys.slice(0, index).find(({ name, sha256 }) => name === key.name || sha256 === key.sha256);
    if (sameKey === undefined) return [];
    const what = sameKey.name === key.name ? `there is another key ${key.name}` : `is the same key as ${sameKey.name}`;
    return [problemAt(key.path, what)];
  });
}
