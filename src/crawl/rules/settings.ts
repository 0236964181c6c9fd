import { z } from 'zod';
import { invalidRequest } from '../../core/errors.ts';
import { ruleWords } from '../../core/rule-words.ts';
import { isPinnableNetwork } from '../../fetch/private-networks.ts';
import { BLOCKABLE_RESOURCES } from '../../fetch/renderer.ts';
import { ACCESS_SETTINGS } from './access-settings.ts';
import { CONTENT_SETTINGS } from './content-settings.ts';
import { isOfCrawler } from './private-names.ts';
import { parseSchedule, parseWindow } from './schedule.ts';
import { compileHome, compileRule, domainsOfSeeds } from './scope.ts';

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

/**
 * Settings of a crawler that this version acts on (crawling 4). Strict: a member that has no effect is refused, so
 * that nobody relies on it.
 */
export const crawlSettings = z.strictObject({
  seeds: z
    .array(absoluteUrl)
    .max(1_000)
    .default([])
    .meta({
      description: 'Where a full run begins. A sitemap or feed stands for the pages that it names.',
      examples: [['https://www.example.com/']],
    }),
  domains: z
    .array(domain)
    .max(1_000)
    .default([])
    .meta({
      description:
        'Hosts that are visited: `host`, `host:port` or `*.host`; without a port 80 and 443. Empty: the hosts of the seeds, with and without `www.`.',
      examples: [['www.example.com', '*.docs.example.com']],
    }),
  privateNames: z
    .record(privateName, z.array(network).min(1).max(100))
    .default({})
    .meta({
      description: 'Names that may lead into these private networks. Every other name reaches public addresses only.',
      examples: [{ 'www.example.com': ['10.1.2.0/24'] }],
    }),
  include: z
    .array(rule)
    .max(1_000)
    .default([])
    .meta({ description: 'Rules for URLs: only these are visited. Empty: all.', examples: [['/docs/**', '/help']] }),
  exclude: z
    .array(rule)
    .max(1_000)
    .default([])
    .meta({
      description: 'Rules for URLs that are left out; they win over `include`.',
      examples: [['/search/**', 'contains:print=1']],
    }),
  noIndex: z
    .array(rule)
    .max(1_000)
    .default([])
    .meta({ description: 'Rules for URLs that are visited for their links only.', examples: [['/tags/*']] }),
  noFollow: z
    .array(rule)
    .max(1_000)
    .default([])
    .meta({ description: 'Rules for URLs whose links are not followed.', examples: [['/forum/**']] }),
  queryParams: z
    .strictObject({
      mode: z
        .enum(['keep', 'allow', 'drop'])
        .default('keep')
        .describe('Parameters of URLs: `keep` all but `strip`, `allow` only those named, `drop` all.'),
      allow: z
        .array(z.string())
        .default([])
        .meta({ description: 'Names; `*` at the end stands for any rest.', examples: [['id', 'lang*']] }),
      strip: z
        .array(z.string())
        .default([])
        .meta({ description: 'The same.', examples: [['sort', 'view']] }),
    })
    .prefault({}),
  stripTracking: z.boolean().default(true).describe('Takes `utm_*`, `gclid`, `fbclid` and their likes out of URLs.'),
  stripSession: z.boolean().default(true).describe('Takes ids of sessions out of URLs: `PHPSESSID`, `jsessionid`.'),
  urlForm: z
    .strictObject({
      scheme: z.enum(['keep', 'https']).default('keep').describe('`https`: http URLs are written so.'),
      www: z.enum(['keep', 'add', 'remove']).default('keep').describe('`www.` before hosts.'),
      trailingSlash: z.enum(['keep', 'add', 'remove']).default('keep').describe('`/` at the end of paths.'),
      indexFiles: z.enum(['keep', 'strip']).default('keep').describe('`strip`: `/docs/index.html` is `/docs/`.'),
      sortQuery: z.boolean().default(false).describe('Parameters in the order of their names.'),
      fragment: z
        .enum(['drop', 'hashbang'])
        .default('drop')
        .describe('`hashbang`: `#!…` and `#/…` are pages of their own.'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      depth: count(1_000)
        .default(20)
        .meta({ description: 'Links from a seed.', examples: [5] }),
      pages: count(5_000_000, 1)
        .default(100_000)
        .meta({ description: 'Pages of a run; those left out are counted in its summary.', examples: [5_000] }),
      runMinutes: count(30 * MINUTES_PER_DAY, 1)
        .default(MINUTES_PER_DAY)
        .meta({ description: 'Of one run; what it left undone is counted in its summary.', examples: [240] }),
      runBytes: count(Number.MAX_SAFE_INTEGER, 1)
        .default(50 * 1024 ** 3)
        .meta({ description: 'Fetched by one run.', examples: [1_073_741_824] }),
      linksPerPage: count(10_000)
        .default(10_000)
        .meta({ description: 'Followed of one page.', examples: [500] }),
      redirects: count(10)
        .default(10)
        .meta({ description: 'In a row.', examples: [3] }),
    })
    .prefault({}),
  sitemaps: lists.meta({
    description: '`auto`: those of robots.txt, else /sitemap.xml and /sitemap_index.xml; `off`, or URLs.',
    examples: [['https://www.example.com/sitemap-pages.xml']],
  }),
  feeds: lists.meta({ description: '`auto`: feeds that the seed pages name; `off`, or URLs.', examples: ['off'] }),
  followLinks: z.boolean().default(true).describe('`false`: nothing but seeds, sitemaps, feeds and queued URLs.'),
  robots: z.enum(['obey', 'ignore']).default('obey').describe('robots.txt. `ignore` is for sites of your own.'),
  robotsMeta: z.enum(['obey', 'ignore']).default('obey').describe('`noindex` and `nofollow` of pages and headers.'),
  canonical: z.enum(['obey', 'ignore']).default('obey').describe('The canonical URL that a page names.'),
  honourNofollow: z.boolean().default(true).describe('Links with `rel=nofollow` are not followed.'),
  crossHostCanonical: z
    .enum(['index-here', 'skip'])
    .default('index-here')
    .describe('What becomes of a page that names a canonical URL outside of the scope.'),
  userAgent: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Sent in place of that of the installation.', examples: ['ExampleBot/1.0'] }),
  robotsToken: z
    .string()
    .regex(/^[a-z_-]+$/i, { message: 'must be letters, - and _' })
    .default('fossickbot')
    .meta({ description: 'Name that rules of robots.txt are looked up by.', examples: ['examplebot'] }),
  acceptLanguage: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Sent to hosts; absent: made of `language`.', examples: ['de, en;q=0.5'] }),
  ...ACCESS_SETTINGS,
  timeouts: z
    .strictObject({
      connectMs: count(20_000, 100)
        .default(10_000)
        .meta({ description: 'To connect.', examples: [5_000] }),
      firstByteMs: count(30_000, 100)
        .default(15_000)
        .meta({ description: 'To the first byte.', examples: [30_000] }),
      pageMs: count(60_000, 100)
        .default(30_000)
        .meta({ description: 'For a whole page.', examples: [60_000] }),
      fileMs: count(240_000, 100)
        .default(120_000)
        .meta({ description: 'For a whole file.', examples: [240_000] }),
    })
    .prefault({}),
  render: z
    .enum(['auto', 'never', 'always'])
    .default('auto')
    .describe('`auto`: over HTTP, and in a browser where a page gives reason to.'),
  rendering: z
    .strictObject({
      waitFor: z
        .string()
        .min(1)
        .max(1_000)
        .optional()
        .meta({ description: 'CSS selector of what a page shows when it is ready.', examples: ['main article'] }),
      settleMs: count(10_000)
        .default(300)
        .meta({ description: 'Quiet time after which it is.', examples: [1_000] }),
      timeoutMs: count(30_000, 100)
        .default(15_000)
        .meta({ description: 'For a whole page.', examples: [30_000] }),
      block: z
        .array(z.enum(BLOCKABLE_RESOURCES))
        .default(['image', 'media', 'font'])
        .meta({ description: 'What the browser does not load.', examples: [['image', 'media', 'font', 'stylesheet']] }),
    })
    .prefault({}),
  interval: z
    .strictObject({
      minMinutes: count(MINUTES_PER_DAY, 1)
        .default(60)
        .meta({ description: 'Shortest time between visits that is learned.', examples: [15] }),
      maxDays: count(365, 1)
        .default(30)
        .meta({ description: 'Longest.', examples: [90] }),
      fileDays: count(365, 1)
        .default(7)
        .meta({ description: 'First one of a file.', examples: [30] }),
    })
    .prefault({}),
  lastmod: z
    .enum(['learn', 'trust', 'ignore'])
    .default('learn')
    .describe('May the dates of sitemaps spare visits: when they have proved true, always, never.'),
  politeness: z
    .strictObject({
      pace: z
        .enum(['adaptive', 'fixed'])
        .default('adaptive')
        .describe('`adaptive`: as quick as the host answers well; `fixed`: no quicker than `delayMs`.'),
      delayMs: count(60_000)
        .optional()
        .meta({ description: 'Pause between two starts; absent: `CRAWL_HOST_DELAY_MS`.', examples: [2_000] }),
      slots: count(32, 1)
        .default(8)
        .meta({ description: 'Fetches of one host at once, at most.', examples: [1] }),
      ratePerSecond: z
        .number()
        .min(0.01)
        .max(1_000)
        .default(20)
        .meta({ description: 'Fetches of one host, at most.', examples: [0.5] }),
      crawlDelay: z.enum(['obey', 'ignore']).default('obey').describe('Of robots.txt.'),
    })
    .prefault({}),
  schedule: z
    .strictObject({
      full: schedule
        .default('weekly')
        .meta({ description: 'Runs that visit everything, and find what is gone.', examples: ['30 2 * * 6'] }),
      incremental: schedule
        .default('hourly')
        .meta({ description: 'Runs that visit what is due.', examples: ['every 6h'] }),
    })
    .prefault({}),
  timezone: timezone
    .optional()
    .meta({ description: 'Of `schedule` and `window`; absent: that of the machine.', examples: ['Europe/Rome'] }),
  window: window
    .optional()
    .meta({ description: 'Hours in which runs fetch; queued URLs ignore it.', examples: ['22:00-06:00'] }),
  language: z
    .string()
    .regex(/^(?:auto|[a-z]{2})$/, { message: 'must be "auto" or a two-letter code' })
    .default('auto')
    .meta({ description: 'ISO 639-1 code, or `auto`: told from each text.', examples: ['de'] }),
  fileTypes: z
    .union([z.literal('all'), z.array(z.string().regex(/^[a-z0-9]{1,8}$/))])
    .default('all')
    .meta({ description: 'Endings of files that are read beside pages.', examples: [['pdf', 'docx']] }),
  content: CONTENT_SETTINGS.describe('What is read from pages.'),
  duplicates: z
    .strictObject({
      exact: z
        .enum(['collapse', 'report', 'off'])
        .default('collapse')
        .describe('Pages with the same content: `collapse` keeps one of them, `report` keeps all.'),
      near: z.enum(['report', 'off']).default('report').describe('Pages that are nearly the same.'),
    })
    .prefault({}),
  removal: z
    .strictObject({
      confirmAfterMs: count(30 * 86_400_000)
        .default(7_200_000)
        .meta({
          description: 'Time after which a page that looks gone is looked at again, before its document leaves.',
          examples: [86_400_000],
        }),
      guardPercent: count(100)
        .default(10)
        .meta({
          description: 'Share of the documents that may leave in a day; more are held for you.',
          examples: [25],
        }),
      guardMinimum: count(1_000_000)
        .default(5)
        .meta({ description: 'Documents that may leave in a day in any case.', examples: [50] }),
      undoDays: count(365, 1)
        .default(14)
        .meta({ description: 'How long a document that left can be brought back.', examples: [30] }),
      autoApproveDays: count(365)
        .default(0)
        .meta({
          description:
            'Days after which held 404 and 410 leave by themselves when full runs go on seeing them; 0: never.',
          examples: [7],
        }),
      pushed: z
        .enum(['crawl-wins', 'protect'])
        .default('crawl-wins')
        .describe('A page whose URL is the id of a pushed document: `protect` leaves that as it is.'),
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
