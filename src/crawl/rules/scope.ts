import type { Reason } from '../../core/crawl-words.ts';
import { isFileEnding } from '../../extract/formats.ts';

/** Parts of a crawler's settings that decide where it may go. */
export type ScopeSettings = {
  /** `host`, `host:port` or `*.host`; without a port 80 and 443. */
  readonly domains: readonly string[];
  /** Empty = everything. */
  readonly include: readonly string[];
  /** Wins over `include`. */
  readonly exclude: readonly string[];
  /** File extensions without dot that are wanted beside pages. */
  readonly fileTypes: 'all' | readonly string[];
  readonly limits: { readonly depth: number; readonly pages: number };
};

export type ScopeCandidate = {
  /** Normalised. */
  readonly url: string;
  /** Links from a seed; 0 for seeds, list entries and queued URLs. */
  readonly depth: number;
  /** Queued through the API: longer URLs are taken. */
  readonly queued: boolean;
  /** URLs that the crawler knows already. */
  readonly knownUrls: number;
  /** Text of the rule that closed the URL's pattern (`traps.ts`). */
  readonly closedBy?: string | undefined;
};

/** `rule` is the text of the rule that decided, `''` when none did. */
export type ScopeVerdict =
  | { readonly in: true; readonly rule: string }
  | { readonly in: false; readonly reason: Reason; readonly rule: string };

export type Scope = (candidate: ScopeCandidate) => ScopeVerdict;

/** Tests one rule; made once per settings. */
export type UrlRule = { readonly text: string; readonly matches: (url: URL) => boolean };

/** Reliability: limits on what is fetched. */
const MAX_URL_CHARS = 2_048;
const MAX_QUEUED_CHARS = 4_096;
const MAX_SEGMENTS = 20;
const MAX_PARAMS = 20;

/** Extensions without text of their own: never pages, never files that are read. */
const UNREAD = new Set(
  (
    'jpg jpeg png gif webp avif svg ico bmp tif tiff psd heic mp3 m4a ogg wav flac mp4 m4v mov avi mkv webm ' +
    'zip gz tgz bz2 xz 7z rar tar dmg iso exe msi apk deb rpm bin css js mjs map json5 wasm woff woff2 ttf otf eot'
  ).split(' '),
);

/**
 * Compiles the scope of a crawler: for any URL in or out, with the reason and the rule's text.
 * @throws SyntaxError when a rule is no regular expression; `compileRule` tells which before settings are saved
 */
export function compileScope(settings: ScopeSettings): Scope {
  const domains = settings.domains.map(compileDomain);
  const rules = { include: settings.include.map(compileRule), exclude: settings.exclude.map(compileRule) };
  return (candidate) => {
    const url = URL.parse(candidate.url);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return out('scheme', '');
    if (!domains.some((domain) => domain.matches(url))) return out('out-of-domain', settings.domains.join(', '));
    const size = sizeFault(url, candidate.queued ? MAX_QUEUED_CHARS : MAX_URL_CHARS);
    if (size !== undefined) return out('too-long', size);
    const ruled = byRules(url, rules);
    return ruled.in ? (byKindAndLimits(url, candidate, settings) ?? ruled) : ruled;
  };
}

/**
 * One rule of `include`, `exclude`, `noIndex` or `noFollow`. A glob on path and query when it starts with `/`, else on
 * host and path: `*` within a segment, `**` across; without either it is a prefix that ends at a segment border.
 * `re:…` is a regular expression on the whole URL, `contains:…` a part of it.
 * @throws SyntaxError for a text that is no regular expression
 */
export function compileRule(text: string): UrlRule {
  if (text.startsWith('re:')) {
    const expression = new RegExp(text.slice(3), 'u');
    return { text, matches: ({ href }) => expression.test(href) };
  }
  if (text.startsWith('contains:')) {
    const part = text.slice('contains:'.length);
    return { text, matches: ({ href }) => href.includes(part) };
  }
  const hasHost = !text.startsWith('/');
  const matchesText = text.includes('*') ? globTest(text) : prefixTest(text);
  return {
    text,
    matches: ({ host, pathname, search }) => {
      const path = hasHost ? host + pathname : pathname;
      return matchesText(path) || (search !== '' && matchesText(path + search));
    },
  };
}

/** Domains of seeds: their hosts with and without `www.` (addresses as they are); a port that is not the scheme's stays. */
export function domainsOfSeeds(seeds: readonly string[]): readonly string[] {
  const hosts = seeds.flatMap((seed) => {
    const host = URL.parse(seed)?.host ?? '';
    if (host === '') return [];
    if (!/^[^[]*[a-z]/.test(host)) return [host];
    return host.startsWith('www.') ? [host, host.slice(4)] : [host, `www.${host}`];
  });
  return [...new Set(hosts)];
}

function out(reason: Reason, rule: string): ScopeVerdict {
  return { in: false, reason, rule };
}

function byRules(url: URL, rules: Readonly<Record<'include' | 'exclude', readonly UrlRule[]>>): ScopeVerdict {
  const excluding = rules.exclude.find((rule) => rule.matches(url));
  if (excluding !== undefined) return out('excluded', excluding.text);
  const including = rules.include.find((rule) => rule.matches(url));
  if (rules.include.length === 0 || including !== undefined) return { in: true, rule: including?.text ?? '' };
  return out('not-included', rules.include.map(({ text }) => text).join(', '));
}

function sizeFault(url: URL, maxChars: number): string | undefined {
  if (url.href.length > maxChars) return `${maxChars} characters`;
  if (url.pathname.split('/').filter((segment) => segment !== '').length > MAX_SEGMENTS)
    return `${MAX_SEGMENTS} segments`;
  return url.searchParams.size > MAX_PARAMS ? `${MAX_PARAMS} parameters` : undefined;
}

function byKindAndLimits(url: URL, candidate: ScopeCandidate, settings: ScopeSettings): ScopeVerdict | undefined {
  const { limits, fileTypes } = settings;
  const extension = /\.([a-z0-9]{1,8})$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? '';
  const isUnwanted = fileTypes !== 'all' && isFileEnding(extension) && !fileTypes.includes(extension);
  if (UNREAD.has(extension)) return out('unreadable-type', extension);
  if (isUnwanted) return out('file-type', extension);
  if (candidate.depth > limits.depth) return out('too-deep', String(limits.depth));
  if (candidate.knownUrls >= limits.pages) return out('page-limit', String(limits.pages));
  return candidate.closedBy === undefined ? undefined : out('trap', candidate.closedBy);
}

export type Domain = {
  /** As URLs write it. */
  readonly hostname: string;
  /** `*.host`: every name below it. */
  readonly isWildcard: boolean;
  readonly ports: readonly number[];
};

/** One entry of `domains`; undefined for a text that is no host. */
export function parseDomain(text: string): Domain | undefined {
  const isWildcard = text.startsWith('*.');
  const parsed = URL.parse(`http://${isWildcard ? text.slice(2) : text}/`);
  if (parsed === null) return undefined;
  return { hostname: parsed.hostname, isWildcard, ports: /:\d+$/.test(text) ? [portOf(parsed)] : [80, 443] };
}

/** Matches URLs of one entry of `domains`. */
export function compileDomain(text: string): UrlRule {
  const domain = parseDomain(text);
  if (domain === undefined) return { text, matches: () => false };
  const { hostname, isWildcard, ports } = domain;
  return {
    text,
    matches: (url) => {
      const isHost = isWildcard ? url.hostname.endsWith(`.${hostname}`) : url.hostname === hostname;
      return isHost && ports.includes(portOf(url));
    },
  };
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

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}

function prefixTest(prefix: string): (path: string) => boolean {
  const bare = prefix.replace(/\/$/, '');
  return (path) => path.startsWith(prefix) && (prefix.endsWith('/') || isBoundary(path[bare.length]));
}

function isBoundary(char: string | undefined): boolean {
  return char === undefined || char === '/' || char === '?';
}

function globTest(glob: string): (path: string) => boolean {
  const source = glob
    .split(/(\/\*\*$|\*\*|\*)/)
    .map((part) => GLOB_PARTS[part] ?? part.replace(/[.+?^${}()|[\]\\/]/g, '\\$&'))
    .join('');
  const expression = new RegExp(`^${source}$`, 'u');
  return (path) => expression.test(path);
}

/** `/docs/**` includes `/docs` itself. */
const GLOB_PARTS: Readonly<Record<string, string>> = { '/**': '(?:/.*)?', '**': '.*', '*': '[^/]*' };
