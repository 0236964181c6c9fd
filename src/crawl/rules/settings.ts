import { z } from 'zod';
import { sealedPart } from '../../core/crawler-secrets.ts';
import { invalidRequest } from '../../core/errors.ts';
import { ruleWords } from '../../core/rule-words.ts';
import { isPinnableNetwork } from '../../fetch/private-networks.ts';
import { BLOCKABLE_RESOURCES } from '../../fetch/renderer.ts';
import { CONTENT_SETTINGS, selector } from './content-settings.ts';
import { isOfCrawler } from './private-names.ts';
import { parseSchedule, parseWindow } from './schedule.ts';
import { compileDomain, compileRule, domainsOfSeeds } from './scope.ts';

const MINUTES_PER_DAY = 1_440;

const absoluteUrl = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  message: 'must be an absolute http or https URL',
});

const domain = z.string().regex(/^(?:\*\.)?[^\s/?#@:*]+(?::\d{1,5})?$|^\[[0-9a-f:]+\](?::\d{1,5})?$/i, {
  message: 'must be a host, host:port or *.host',
});

const privateName = z.string().regex(/^(?:\*\.)?[^\s/?#@:*]*[^\s/?#@:*\d.][^\s/?#@:*]*$/, {
  message: 'must be a host or *.host; an address is named with its port in seeds or domains',
});

const network = z.string().refine(isPinnableNetwork, {
  message: 'must be a private network such as 10.1.2.0/24, or an address such as 10.1.2.3/32',
});

const rule = z.string().superRefine((text, context) => reject(context, () => compileRule(text)));
const schedule = z.string().superRefine((text, context) => reject(context, () => parseSchedule(text, 0)));

const window = z.string().superRefine((text, context) => reject(context, () => parseWindow(text)));

const timezone = z
  .string()
  .superRefine((text, context) => reject(context, () => new Intl.DateTimeFormat('en', { timeZone: text })));

const lists = z.union([z.enum(['auto', 'off']), z.array(absoluteUrl).max(1_000)]).default('auto');

const count = (most: number, least = 0) => z.int().min(least).max(most);

const MAX_SECRET_CHARS = 8_192;
const MAX_MEMBERS = 50;

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** RFC 9110 section 5.5, without the obsolete bytes from 128 on. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
/** RFC 6265 section 4.1.1, and the characters that servers use all the same. */
const COOKIE_VALUE = /^[^\s;,\p{Cc}]*$/u;

const few = (members: object) => Object.keys(members).length <= MAX_MEMBERS;
const FEW = { message: `must be at most ${MAX_MEMBERS}` };
/** Made by the client itself, or given by a setting of their own. */
const NOT_CHOSEN = new Set(
  (
    'host connection content-length transfer-encoding accept-encoding cookie upgrade te trailer expect keep-alive ' +
    'proxy-authorization proxy-connection if-none-match if-modified-since'
  ).split(' '),
);

const headerName = z
  .string()
  .regex(TOKEN, 'must be the name of a header')
  .refine((name) => !NOT_CHOSEN.has(name.toLowerCase()), { message: 'is a header that cannot be chosen' });

const basicAuth = z.strictObject({
  username: z
    .string()
    .max(200)
    .regex(/^[^:\p{Cc}]*$/u, 'must have no colon'),
  password: secretText(() => true, 'must be text'),
});
const MINUTES_PER_WEEK = 10_080;

const login = z.strictObject({
  url: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
      message: 'must be an absolute http or https URL',
    })
    .describe('Page with the form, of a seed or domain.'),
  fields: z
    .record(
      z.string().min(1).max(200),
      secretText(() => true, 'must be text'),
    )
    .refine((fields) => few(fields) && Object.keys(fields).length > 0, { message: `must be 1 to ${MAX_MEMBERS}` })
    .describe('Name of an input → what is typed there.'),
  success: z
    .strictObject({
      selector: selector.optional(),
      cookie: z.string().regex(TOKEN, 'must be the name of a cookie').optional(),
      /** Beginning of the URL that the login ends at. */
      url: z.string().min(1).max(2_048).optional(),
    })
    .prefault({})
    .describe('What the answer to the form must have; without any: no form with a password.'),
  everyMinutes: z.int().min(1).max(MINUTES_PER_WEEK).default(60),
});

/** How a crawler gets in: sent to the origins of its seeds and domains only. */
const ACCESS_SETTINGS = {
  headers: z
    .record(headerName, secretText(isHeaderValue, 'must be text without line breaks'))
    .refine(few, FEW)
    .default({}),
  cookies: z
    .record(
      z.string().regex(TOKEN, 'must be the name of a cookie'),
      secretText(isCookieValue, 'must be text without spaces, commas and semicolons'),
    )
    .refine(few, FEW)
    .default({}),
  basicAuth: basicAuth.optional(),
  login: login.optional(),
  proxy: secretText(isProxy, 'must be http:// or https:// with a host, and no path')
    .optional()
    .describe('Forward proxy; the addresses of pages are judged all the same.'),
  tls: z
    .strictObject({
      verify: z.boolean().default(true),
      ca: z
        .array(z.string().regex(/-----BEGIN CERTIFICATE-----/, 'must be a certificate in PEM form'))
        .max(MAX_MEMBERS)
        .default([])
        .describe('More roots, PEM.'),
    })
    .prefault({}),
};

/**
 * Settings of a crawler that this version acts on (crawling 4). Strict: a member that has no effect is refused, so
 * that nobody relies on it.
 */
export const crawlSettings = z.strictObject({
  seeds: z.array(absoluteUrl).max(1_000).default([]),
  domains: z.array(domain).max(1_000).default([]).describe('Empty: the hosts of the seeds, with and without `www.`.'),
  privateNames: z
    .record(privateName, z.array(network).min(1).max(100))
    .default({})
    .describe('Names that may lead into these private networks. Every other name reaches public addresses only.'),
  include: z.array(rule).max(1_000).default([]),
  exclude: z.array(rule).max(1_000).default([]),
  noIndex: z.array(rule).max(1_000).default([]),
  noFollow: z.array(rule).max(1_000).default([]),
  queryParams: z
    .strictObject({
      mode: z.enum(['keep', 'allow', 'drop']).default('keep'),
      allow: z.array(z.string()).default([]),
      strip: z.array(z.string()).default([]),
    })
    .prefault({}),
  stripTracking: z.boolean().default(true),
  stripSession: z.boolean().default(true),
  urlForm: z
    .strictObject({
      scheme: z.enum(['keep', 'https']).default('keep'),
      www: z.enum(['keep', 'add', 'remove']).default('keep'),
      trailingSlash: z.enum(['keep', 'add', 'remove']).default('keep'),
      indexFiles: z.enum(['keep', 'strip']).default('keep'),
      sortQuery: z.boolean().default(false),
      fragment: z.enum(['drop', 'hashbang']).default('drop'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      depth: count(1_000).default(20),
      pages: count(5_000_000, 1).default(100_000),
      runMinutes: count(30 * MINUTES_PER_DAY, 1).default(MINUTES_PER_DAY),
      runBytes: count(Number.MAX_SAFE_INTEGER, 1).default(50 * 1024 ** 3),
      linksPerPage: count(10_000).default(10_000),
      redirects: count(10).default(10),
    })
    .prefault({}),
  sitemaps: lists.describe('`auto`: those of robots.txt, else /sitemap.xml and /sitemap_index.xml.'),
  feeds: lists.describe('`auto`: feeds that the seed pages name.'),
  followLinks: z.boolean().default(true),
  robots: z.enum(['obey', 'ignore']).default('obey'),
  robotsMeta: z.enum(['obey', 'ignore']).default('obey'),
  canonical: z.enum(['obey', 'ignore']).default('obey'),
  honourNofollow: z.boolean().default(true),
  crossHostCanonical: z
    .enum(['index-here', 'skip'])
    .default('index-here')
    .describe('What becomes of a page that names a canonical URL outside of the scope.'),
  userAgent: z.string().max(200).optional(),
  robotsToken: z
    .string()
    .regex(/^[a-z_-]+$/i, { message: 'must be letters, - and _' })
    .default('fossickbot'),
  acceptLanguage: z.string().max(200).optional(),
  ...ACCESS_SETTINGS,
  timeouts: z
    .strictObject({
      connectMs: count(20_000, 100).default(10_000),
      firstByteMs: count(30_000, 100).default(15_000),
      pageMs: count(60_000, 100).default(30_000),
      fileMs: count(240_000, 100).default(120_000),
    })
    .prefault({}),
  render: z
    .enum(['auto', 'never', 'always'])
    .default('auto')
    .describe('`auto`: over HTTP, and in a browser where a page gives reason to.'),
  rendering: z
    .strictObject({
      waitFor: z.string().min(1).max(1_000).optional().describe('CSS selector of what a page shows when it is ready.'),
      settleMs: count(10_000).default(300),
      timeoutMs: count(30_000, 100).default(15_000),
      block: z.array(z.enum(BLOCKABLE_RESOURCES)).default(['image', 'media', 'font']),
    })
    .prefault({}),
  interval: z
    .strictObject({
      minMinutes: count(MINUTES_PER_DAY, 1).default(60),
      maxDays: count(365, 1).default(30),
      fileDays: count(365, 1).default(7),
    })
    .prefault({}),
  lastmod: z
    .enum(['learn', 'trust', 'ignore'])
    .default('learn')
    .describe('May the dates of sitemaps spare visits: when they have proved true, always, never.'),
  politeness: z
    .strictObject({
      pace: z.enum(['adaptive', 'fixed']).default('adaptive'),
      delayMs: count(60_000).optional(),
      slots: count(32, 1).default(8),
      ratePerSecond: z.number().min(0.01).max(1_000).default(20),
      crawlDelay: z.enum(['obey', 'ignore']).default('obey'),
    })
    .prefault({}),
  schedule: z.strictObject({ full: schedule.default('weekly'), incremental: schedule.default('hourly') }).prefault({}),
  timezone: timezone.optional(),
  window: window.optional().describe('Hours in which runs fetch, such as `22:00-06:00`; queued URLs ignore it.'),
  language: z
    .string()
    .regex(/^(?:auto|[a-z]{2})$/, { message: 'must be "auto" or a two-letter code' })
    .default('auto')
    .describe('ISO 639-1 code, or `auto`: told from each text.'),
  fileTypes: z.union([z.literal('all'), z.array(z.string().regex(/^[a-z0-9]{1,8}$/))]).default('all'),
  content: CONTENT_SETTINGS.describe('What is read from pages.'),
  duplicates: z
    .strictObject({
      exact: z.enum(['collapse', 'report', 'off']).default('collapse'),
      near: z.enum(['report', 'off']).default('report'),
    })
    .prefault({}),
  removal: z
    .strictObject({
      confirmAfterMs: count(30 * 86_400_000).default(7_200_000),
      guardPercent: count(100).default(10),
      guardMinimum: count(1_000_000).default(5),
      undoDays: count(365, 1).default(14),
      autoApproveDays: count(365)
        .default(0)
        .describe('Days after which held 404 and 410 leave by themselves when full runs go on seeing them; 0: never.'),
      pushed: z.enum(['crawl-wins', 'protect']).default('crawl-wins'),
    })
    .prefault({}),
});

export type CrawlSettings = z.infer<typeof crawlSettings>;

const CHECKED = crawlSettings.superRefine(({ seeds, domains, login, privateNames }, context) => {
  const hosts = { seeds, domains: domainsOf({ seeds, domains }) };
  for (const name of Object.keys(privateNames).filter((named) => !isOfCrawler(named, hosts))) {
    context.addIssue({ code: 'custom', path: ['privateNames', name], message: 'must be a host of a seed or domain' });
  }
  if (login === undefined || compileHome(hosts)(login.url)) return;
  context.addIssue({ code: 'custom', path: ['login', 'url'], message: 'must be of a seed or domain' });
});

/** Those of the seeds when the operator names none. */
export function domainsOf({ seeds, domains }: Pick<CrawlSettings, 'seeds' | 'domains'>): readonly string[] {
  return domains.length > 0 ? domains : domainsOfSeeds(seeds);
}

/**
 * Settings with their defaults, from what an operator wrote. `beside` names members that stand beside the settings.
 * @throws AppError `request.invalid` with the path of every wrong or unknown member
 */
export function parseCrawlSettings(config: unknown, beside: readonly string[] = []): CrawlSettings {
  const parsed = CHECKED.safeParse(config, { error: (issue) => ruleWords(issue, beside) });
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues.flatMap(problemsOf));
}

/** Settings that had another name, which scripts and provision files may still use. */
const RENAMED: ReadonlyMap<string, string> = new Map([['twins', 'duplicates']]);

/** The message of unknown members is a line for each. */
function problemsOf(issue: z.core.$ZodIssue): { path: string; message: string }[] {
  const path = pathOf(issue.path);
  if (issue.code !== 'unrecognized_keys') return [{ path, message: `${path}: ${issue.message}` }];
  const suggestions = issue.message.split('\n');
  return issue.keys.map((key, index) => {
    const unknown = path === '' ? key : `${path}.${key}`;
    const present = RENAMED.get(unknown);
    const suggestion = present === undefined ? (suggestions[index] ?? '') : `; it is called ${present} now`;
    return { path: unknown, message: `${unknown} is no setting of a crawler${suggestion}` };
  });
}

/** `domains[2]`, `limits.depth`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

function reject(context: z.core.$RefinementCtx<string>, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is not valid' });
  }
}

/** A secret that an operator gives; stored sealed, shown as `set`. */
function secretText(accepts: (text: string) => boolean, wanted: string) {
  const text = z
    .string()
    .min(1)
    .max(MAX_SECRET_CHARS)
    .refine((value) => sealedPart(value) !== undefined || accepts(value), { message: wanted });
  const variable = z.strictObject({ fromEnv: z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable') });
  return z.union([text, variable], {
    error: (issue) => (typeof issue.input === 'string' ? wanted : 'must be text or { "fromEnv": "NAME" }'),
  });
}

export function isHeaderValue(text: string): boolean {
  return HEADER_VALUE.test(text);
}

export function isCookieValue(text: string): boolean {
  return COOKIE_VALUE.test(text);
}

export function isProxy(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return false;
  return url.pathname === '/' && url.search === '' && url.hash === '';
}

/** True for an origin that may be given the credentials of a crawler. */
export type HomeOrigins = (origin: string) => boolean;

/**
 * Origins of seeds, and those of domains. When a seed is https, http is only home where a seed itself says so: what
 * was given for a secure site is never sent in the clear.
 */
export function compileHome({
  seeds,
  domains,
}: {
  readonly seeds: readonly string[];
  readonly domains: readonly string[];
}): HomeOrigins {
  const named = new Set(seeds.flatMap((seed) => URL.parse(seed)?.origin ?? []));
  const isSecure = [...named].some((origin) => origin.startsWith('https:'));
  const rules = domains.map(compileDomain);
  return (origin) => {
    const url = URL.parse(origin);
    if (url === null || named.has(url.origin)) return url !== null;
    if (url.protocol !== 'https:' && (isSecure || url.protocol !== 'http:')) return false;
    return rules.some((rule) => rule.matches(url));
  };
}
