import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Reason } from '../../core/crawl-words.ts';
import type { Crawler } from '../../core/records.ts';
import { normalizeUrl, type UrlRules } from '../../core/url.ts';
import { compileContent, namedHeaders } from '../../extract/extract-settings.ts';
import type { ExtractSettings } from '../../extract/extraction.ts';
import type { AllowList } from '../../fetch/egress-gate.ts';
import { DEFAULT_FETCH_LIMITS, type FetchAccess, type FetchLimits, OPEN_ACCESS } from '../../fetch/fetcher.ts';
import { allowListOf } from './private-names.ts';
import { compileHome, compileRule, compileScope, type HomeOrigins, type Scope, type UrlRule } from './scope.ts';
import { type CrawlSettings, domainsOf, parseCrawlSettings } from './settings.ts';

/** Settings of a crawler, compiled once per version of its record. */
export type CrawlRules = {
  readonly configVersion: number;
  readonly settings: CrawlSettings;
  /** Normal forms. */
  readonly seeds: readonly string[];
  readonly scope: Scope;
  readonly urlRules: UrlRules;
  readonly allow: AllowList;
  readonly noIndex: readonly UrlRule[];
  readonly noFollow: readonly UrlRule[];
  /** Sitemaps and feeds that the operator named, in normal form. */
  readonly ownLists: ReadonlyMap<string, 'sitemap' | 'feed'>;
  readonly extract: ExtractSettings;
  /** Of extraction settings and extractor: a page read under another one is read anew. */
  readonly extractVersion: number;
  /** Origins that may have the credentials. */
  readonly home: HomeOrigins;
  /** Without secrets and proxy: `crawl-access.ts` adds them for those who fetch. */
  readonly access: FetchAccess;
  readonly limits: FetchLimits;
  readonly headers: Readonly<Record<string, string>>;
};

/** Grows when extraction gives other fields for the same bytes, so that unchanged pages are read anew. */
const EXTRACTOR_VERSION = 4;

/** @throws AppError `request.invalid` when the stored settings are not valid */
export function compileCrawlRules(crawler: Pick<Crawler, 'config' | 'configVersion'>): CrawlRules {
  const settings = parseCrawlSettings(crawler.config);
  const domains = domainsOf(settings);
  const { queryParams, stripTracking, stripSession, urlForm, timeouts, tls } = settings;
  const allow = allowListOf({ ...settings, domains });
  const extract: ExtractSettings = {
    language: settings.language === 'auto' ? undefined : settings.language,
    honourNofollow: settings.honourNofollow,
    content: compileContent(settings.content, compileUrlTest),
    headers: namedHeaders(settings.content),
  };
  const urlRules: UrlRules = { queryParams, stripTracking, stripSession, urlForm };
  return {
    configVersion: crawler.configVersion,
    settings,
    seeds: settings.seeds.flatMap((seed) => normalizeUrl(seed, urlRules) ?? []),
    scope: compileScope({ ...settings, domains }),
    urlRules,
    allow,
    noIndex: settings.noIndex.map(compileRule),
    noFollow: settings.noFollow.map(compileRule),
    ownLists: declaredSitemaps(settings, urlRules),
    extract,
    extractVersion: extractVersionOf(extract, settings),
    home: compileHome({ seeds: settings.seeds, domains }),
    access: { ...OPEN_ACCESS, allow, tls },
    limits: { ...DEFAULT_FETCH_LIMITS, ...timeouts, redirects: settings.limits.redirects },
    headers: headersOf(settings),
  };
}

function compileUrlTest(text: string): (url: string) => boolean {
  const { matches } = compileRule(text);
  return (url) => {
    const parsed = URL.parse(url);
    return parsed !== null && matches(parsed);
  };
}

/** True for a literal loopback or private address that the operator named: their own server needs no pause. */
export function isOwnAddress(origin: string, allow: AllowList): boolean {
  const url = new URL(origin);
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return isIP(literal) !== 0 && isPrivate(literal) && allow.addresses.has(`${url.hostname}:${port}`);
}

/** A coarse look, for the pace only: what may be reached is decided by the egress gate. */
function isPrivate(address: string): boolean {
  return /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd])/i.test(address);
}

function extractVersionOf(extract: ExtractSettings, { render, rendering, content }: CrawlSettings): number {
  const { language = null, honourNofollow } = extract;
  const rendered = [render, rendering.waitFor ?? null];
  const text = JSON.stringify([EXTRACTOR_VERSION, language, honourNofollow, ...rendered, content]);
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

function headersOf({ userAgent, acceptLanguage, language }: CrawlSettings): Record<string, string> {
  const accepted = acceptLanguage ?? (language === 'auto' ? undefined : `${language}, *;q=0.5`);
  return {
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
    ...(accepted !== undefined && { 'accept-language': accepted }),
  };
}

/** Reasons for which a sitemap or feed may not be read; rules about paths, types and depth are about pages. */
const HARD_REASONS: ReadonlySet<Reason> = new Set(['scheme', 'out-of-domain', 'too-long']);
/** Indexes above a sitemap (reliability: limits on what is fetched). */
export const MAX_SITEMAP_DEPTH = 3;

/** Where sitemaps lie when robots.txt names none. */
export const USUAL_SITEMAPS = ['/sitemap.xml', '/sitemap_index.xml'] as const;

type Refusal = { readonly reason: Reason; readonly rule: string };

/** Why a sitemap or feed may not be read: switched off, or on a host that is no domain and was not named itself. */
export function refuseSitemap(
  { scope, settings, ownLists }: Pick<CrawlRules, 'scope' | 'settings' | 'ownLists'>,
  list: { readonly url: string; readonly kind: 'sitemap' | 'feed' },
): Refusal | undefined {
  const setting = list.kind === 'sitemap' ? settings.sitemaps : settings.feeds;
  if (setting === 'off') return { reason: 'excluded', rule: `${list.kind}s: off` };
  if (ownLists.has(list.url)) return undefined;
  const verdict = scope({ url: list.url, depth: 0, queued: false, knownUrls: 0 });
  return verdict.in || !HARD_REASONS.has(verdict.reason) ? undefined : verdict;
}

/** Sitemaps and feeds that the operator named, in normal form. */
function declaredSitemaps(
  { sitemaps, feeds }: Pick<CrawlSettings, 'sitemaps' | 'feeds'>,
  urlRules: UrlRules,
): ReadonlyMap<string, 'sitemap' | 'feed'> {
  const named = (texts: 'auto' | 'off' | readonly string[], kind: 'sitemap' | 'feed') =>
    (typeof texts === 'string' ? [] : texts).flatMap((text) => {
      const url = normalizeUrl(text, urlRules);
      return url === undefined ? [] : [[url, kind] as const];
    });
  return new Map([...named(sitemaps, 'sitemap'), ...named(feeds, 'feed')]);
}
