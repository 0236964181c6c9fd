import type { Reason } from '../../core/crawl-words.ts';
import { isAbsoluteUrl, normalizeUrl, originOf } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import { isFileName } from '../../extract/formats.ts';
import type { FetchedResource } from '../../fetch/fetcher.ts';
import { networkOf } from '../../fetch/private-networks.ts';
import type { DryRunVisitDeps } from '../dry-run/dry-run-page.ts';
import type { PrivateNameDeps } from '../private-names.ts';
import { type CrawlRules, compileCrawlRules } from '../rules/crawl-rules.ts';
import { REASON_TEXTS } from '../rules/reasons.ts';
import { crawlDelayOf, judgeRobots, parseRobots, type Robots } from '../rules/robots.ts';
import { failureOfStatus } from '../visit/decide-failure.ts';
import { sourceHeaders } from '../visit/source-headers.ts';
import { listKindOf } from '../visit/visit-sitemap.ts';
import { openBody } from '../visit/visit-url.ts';
import { openProbeFetches, type ProbeFetchDeps, type ProbeFetches, type ProbeStep } from './probe-fetches.ts';
import { readSitemaps } from './probe-sitemaps.ts';
import { type SiteSection, sectionsOf, spreadOverSections } from './site-sections.ts';

export type ProbeDeps = ProbeFetchDeps & Pick<DryRunVisitDeps, 'extract'> & PrivateNameDeps;

type SettingsPart = Readonly<Record<string, unknown>>;

/** Why there is nothing to crawl, and the setting of a crawler that changes that. */
export type ProbeProblem = {
  readonly reason: Reason;
  readonly cause: string;
  readonly advice: string | null;
  readonly setting: SettingsPart | undefined;
};

export type ProbedPage = {
  readonly url: string;
  readonly status: number;
  /** Why it could not be read. */
  readonly reason: Reason | undefined;
  readonly title: string;
  readonly language: string | undefined;
  readonly type: 'PageContent' | 'FileContent';
  readonly needsScripts: boolean;
  /** Of its text. */
  readonly chars: number;
};

export type SiteProbe = {
  /** As it was asked, in full. */
  readonly url: string;
  /** Where it led; undefined when there is nothing. */
  readonly address: string | undefined;
  readonly problem: ProbeProblem | undefined;
  readonly robots: { readonly allowed: boolean; readonly crawlDelaySeconds: number | undefined };
  readonly sitemaps: readonly { readonly url: string; readonly urls: number }[];
  /** By URLs of sitemaps, else of links of the first page. */
  readonly sections: readonly SiteSection[];
  readonly pages: readonly ProbedPage[];
  readonly language: string | undefined;
  readonly siteName: string | undefined;
  /** Most pages have no text without a browser. */
  readonly needsScripts: boolean;
  /** The time was over before all was looked at. */
  readonly isCut: boolean;
  readonly bytes: number;
};

const MAX_PAGES = 10;
const DEADLINE_MS = 30_000;

/**
 * What is at an address before a crawler is made for it: ten pages at most, 20 MB, 30 s, at the pace of the host, through
 * the egress gate and by robots.txt. Stores nothing. `settings` are a part of those that the crawler would have.
 */
export async function* probeSite(
  deps: ProbeDeps,
  { url: text, settings }: { readonly url: string; readonly settings: SettingsPart },
  caller: AbortSignal,
): AsyncGenerator<ProbeStep, SiteProbe> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  let last: SiteProbe = nothing(text, 'scheme');
  for (const url of addressesOf(text)) {
    const rules = compileCrawlRules({ config: { ...settings, seeds: [url] }, configVersion: 0 });
    const fetches = openProbeFetches(deps, rules, { caller, deadline });
    last = yield* probeAddress({ ...deps, fetches, rules, settings }, url);
    if (last.address !== undefined || !isElsewhere(last.problem?.reason)) break;
  }
  const isCut = deadline.aborted;
  return { ...last, isCut, problem: await withSetting(deps, last, caller) };
}

type Context = Pick<ProbeDeps, 'extract' | 'clock'> & {
  readonly fetches: ProbeFetches;
  readonly rules: CrawlRules;
  readonly settings: SettingsPart;
};

/** `www.example.com` may be meant as either; what names its scheme is taken by its word. */
function addressesOf(text: string): readonly string[] {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? [text] : [`https://${text}`, `http://${text}`];
  return whole.filter(isAbsoluteUrl).flatMap((url) => normalizeUrl(url) ?? []);
}

/** Failures of TLS and of the port, after which the other scheme is tried. */
function isElsewhere(reason: Reason | undefined): boolean {
  return reason !== undefined && ['refused', 'tls', 'protocol', 'reset', 'timeout'].includes(reason);
}

function nothing(url: string, reason: Reason): SiteProbe {
  return {
    url,
    address: undefined,
    problem: { reason, ...REASON_TEXTS[reason], setting: undefined },
    robots: { allowed: reason !== 'robots', crawlDelaySeconds: undefined },
    sitemaps: [],
    sections: [],
    pages: [],
    language: undefined,
    siteName: undefined,
    needsScripts: false,
    isCut: false,
    bytes: 0,
  };
}

async function* probeAddress(context: Context, url: string): AsyncGenerator<ProbeStep, SiteProbe> {
  const { fetches, rules, settings } = context;
  const asked = yield* readRobots(context, originOf(url) ?? '');
  if (!isAllowed(rules, asked, url)) return nothing(url, 'robots');
  const answer = await fetches.fetch(url, 'page');
  if ('reason' in answer) return nothing(url, answer.reason);
  const { resource } = answer;
  const failure = failureOfStatus(resource.status);
  const address = normalizeUrl(resource.url, rules.urlRules) ?? url;
  yield { step: 'address', url: address, sentence: `${address} answers ${resource.status}` };
  const first = await readPage(context, address, resource);
  if (failure !== undefined) return { ...nothing(url, failure), pages: [first.page], bytes: fetches.bytes() };
  const isMoved = originOf(address) !== originOf(url);
  const own = isMoved ? compileCrawlRules({ config: { ...settings, seeds: [address] }, configVersion: 0 }) : rules;
  const robots = isMoved ? yield* readRobots(context, originOf(address) ?? '') : asked;
  if (!isAllowed(own, robots, address)) return { ...nothing(url, 'robots'), bytes: fetches.bytes() };
  if (!first.isList) yield pageStep(first.page);
  return yield* probeRest({ ...context, rules: own }, { url, address, robots, first });
}

type Found = {
  readonly url: string;
  readonly address: string;
  readonly robots: Robots | undefined;
  readonly first: ReadPage;
};

async function* probeRest(
  context: Context,
  { url, address, robots, first }: Found,
): AsyncGenerator<ProbeStep, SiteProbe> {
  const { fetches, rules } = context;
  const { sitemaps, urls } = yield* readSitemaps(context, { address, isList: first.isList }, robots);
  const inScope = (link: string) => rules.scope({ url: link, depth: 1, queued: false, knownUrls: 0 }).in;
  const known = new Set(urls.size > 0 ? urls : first.links);
  const reads = first.isList ? [] : [first];
  const candidates = [...known].filter(
    (link) => link !== address && inScope(link) && !isFileName(new URL(link).pathname),
  );
  for (const link of spreadOverSections(candidates, MAX_PAGES - 1)) {
    if (fetches.signal.aborted) break;
    if (!isAllowed(rules, robots, link)) continue;
    const read = await fetchPage(context, link);
    reads.push(read);
    yield pageStep(read.page);
  }
  const read = reads.filter(({ page }) => page.reason === undefined);
  return {
    url,
    address,
    problem: undefined,
    robots: {
      allowed: true,
      crawlDelaySeconds: robots && crawlDelayOf(robots, rules.settings.robotsToken),
    },
    sitemaps,
    sections: sectionsOf([...known].filter(inScope)),
    pages: reads.map(({ page }) => page),
    language: mostFrequent(read.flatMap(({ page }) => page.language ?? [])),
    siteName: first.isList ? commonName(read) : first.site || first.page.title || undefined,
    needsScripts: read.filter(({ page }) => page.needsScripts).length * 2 > read.length,
    isCut: false,
    bytes: fetches.bytes(),
  };
}

function pageStep({ url, title, reason }: ProbedPage): ProbeStep {
  const sentence = reason === undefined ? title || 'A page without a title' : REASON_TEXTS[reason].cause;
  return { step: 'page', url, sentence };
}

/** Undefined when there is none: everything is allowed. A file that cannot be read is taken for none: the page tells why. */
async function* readRobots({ fetches }: Context, origin: string): AsyncGenerator<ProbeStep, Robots | undefined> {
  const url = `${origin}/robots.txt`;
  const answer = await fetches.fetch(url, 'robots');
  if ('reason' in answer) return undefined;
  const { status, body } = answer.resource;
  const robots = status === 200 && body instanceof Uint8Array ? parseRobots(body) : undefined;
  yield { step: 'robots', url, sentence: robots === undefined ? 'There is no robots.txt' : 'There is a robots.txt' };
  return robots;
}

function isAllowed({ settings }: CrawlRules, robots: Robots | undefined, url: string): boolean {
  if (robots === undefined || settings.robots === 'ignore') return true;
  return judgeRobots(robots, settings.robotsToken, url).allowed;
}

type ReadPage = {
  readonly page: ProbedPage;
  readonly links: readonly string[];
  /** What it calls its site. */
  readonly site: string | undefined;
  /** A sitemap or feed: it stands for the pages that it names. */
  readonly isList: boolean;
};

async function fetchPage(context: Context, url: string): Promise<ReadPage> {
  const answer = await context.fetches.fetch(url, 'page');
  return 'reason' in answer ? unreadPage(url, 0, answer.reason) : readPage(context, url, answer.resource);
}

function unreadPage(url: string, status: number, reason: Reason): ReadPage {
  const nothingRead = { title: '', language: undefined, type: 'PageContent', needsScripts: false, chars: 0 } as const;
  return { page: { url, status, reason, ...nothingRead }, links: [], site: undefined, isList: false };
}

async function readPage(
  { extract, clock, rules, fetches }: Context,
  url: string,
  resource: FetchedResource,
): Promise<ReadPage> {
  const { status } = resource;
  const failure = failureOfStatus(status);
  await using body = openBody(resource);
  if (failure !== undefined) return unreadPage(url, status, failure);
  if (resource.body === undefined) return unreadPage(url, status, 'unsupported-type');
  const extraction = await extract(
    {
      url,
      body: await body.read(),
      headers: sourceHeaders(resource, rules.extract),
      settings: rules.extract,
      now: clock.now(),
    },
    fetches.signal,
  );
  return {
    page: pageOf(url, status, extraction),
    links: extraction.outlinks.flatMap((link) => normalizeUrl(link.url, rules.urlRules) ?? []),
    site: extraction.fields.get('Site')?.[0],
    isList: listKindOf(extraction) !== undefined,
  };
}

function pageOf(url: string, status: number, extraction: Extraction): ProbedPage {
  const { fields, language, kind, renderWanted, structure } = extraction;
  const blocks = structure.sections.flatMap((section) => section.blocks);
  return {
    url,
    status,
    reason: undefined,
    title: fields.get('Title')?.[0] ?? '',
    language: language?.code,
    type: kind,
    needsScripts: renderWanted !== undefined || extraction.status === 'needs-render',
    chars: blocks.reduce((sum, { text }) => sum + text.length, 0),
  };
}

/** What more than half of the pages call their site. */
function commonName(reads: readonly ReadPage[]): string | undefined {
  const name = mostFrequent(reads.flatMap(({ site }) => site ?? []));
  return reads.filter(({ site }) => site === name).length * 2 > reads.length ? name : undefined;
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = [...Map.groupBy(values, (value) => value)].sort(([, a], [, b]) => b.length - a.length);
  return counts[0]?.[0];
}

/** The setting that lets a crawler in where the probe was refused. */
async function withSetting(
  deps: PrivateNameDeps,
  { url, problem }: SiteProbe,
  signal: AbortSignal,
): Promise<ProbeProblem | undefined> {
  if (problem?.reason === 'robots') return { ...problem, setting: { robots: 'ignore' } };
  if (problem?.reason !== 'private-name') return problem;
  const { hostname } = new URL(url);
  const addresses = await deps.findPrivateAddresses(hostname, signal);
  const networks = [...new Set(addresses.map(networkOf))];
  return { ...problem, setting: networks.length === 0 ? undefined : { privateNames: { [hostname]: networks } } };
}
