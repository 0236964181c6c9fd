import { hash } from 'node:crypto';

/** How a crawler writes URLs; the stock form rewrites nothing that a server may tell apart. */
export type UrlRules = {
  readonly stripTracking: boolean;
  readonly stripSession: boolean;
  readonly queryParams: {
    /** `keep` all but stripped ones, `allow` only those named, `drop` all. Names may end in `*`. */
    readonly mode: 'keep' | 'allow' | 'drop';
    readonly allow: readonly string[];
    readonly strip: readonly string[];
  };
  readonly urlForm: {
    readonly scheme: 'keep' | 'https';
    readonly www: 'keep' | 'add' | 'remove';
    readonly trailingSlash: 'keep' | 'add' | 'remove';
    readonly indexFiles: 'keep' | 'strip';
    readonly sortQuery: boolean;
    /** `hashbang` keeps `#!…` and `#/…` of script-routed sites. */
    readonly fragment: 'drop' | 'hashbang';
  };
};

export const DEFAULT_URL_RULES: UrlRules = {
  stripTracking: true,
  stripSession: true,
  queryParams: { mode: 'keep', allow: [], strip: [] },
  urlForm: {
    scheme: 'keep',
    www: 'keep',
    trailingSlash: 'keep',
    indexFiles: 'keep',
    sortQuery: false,
    fragment: 'drop',
  },
};

/** What every server must take (RFC 9110 section 4.1); the rules cost up to the square of the length. */
const MAX_URL_CHARS = 8_000;

/**
 * The one spelling of a URL, by which it is known, compared and stored. Idempotent. Undefined unless the text is an
 * absolute `http(s)` URL with a host and has at most 8,000 characters, also in its normal form. Removes user info,
 * default port, the host's trailing dots, fragment, empty query, tracking and session parameters; then applies the
 * rules of the crawler.
 */
export function normalizeUrl(text: string, rules: UrlRules = DEFAULT_URL_RULES): string | undefined {
  const url = text.length > MAX_URL_CHARS ? null : URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  url.username = '';
  url.password = '';
  url.hash = keptFragment(url.hash, rules);
  if (!formHost(url, rules)) return undefined;
  formPath(url, rules);
  formQuery(url, rules);
  return url.href.length > MAX_URL_CHARS ? undefined : url.href;
}

/**
 * Whether the text is an absolute `http(s)` URL that names its host. The parser of browsers alone also finds one in
 * `https:///a` and `http:a`.
 */
export function isAbsoluteUrl(text: string): boolean {
  return /^https?:\/\/[^\s/\\?#]/i.test(text) && URL.canParse(text);
}

/** `scheme://host[:port]` of an absolute `http(s)` URL, else undefined. */
export function originOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed === null || parsed.origin === 'null' ? undefined : parsed.origin;
}

/** `api.example.com:443`: with the port also when it is that of the scheme (http or https). */
export function hostAndPortOf({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}

/** Host name without port, in the form of the URL parser; `''` when there is none. */
export function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}

/** Key of a normalised URL in stores: the first 8 bytes of its SHA-256 as a signed integer. */
export function keyOfUrl(url: string): bigint {
  return hash('sha256', url, 'buffer').readBigInt64BE(0);
}

const TRACKING = new Set(
  (
    'gclid gclsrc dclid gbraid wbraid fbclid msclkid mc_cid mc_eid _gl _ga yclid twclid ttclid igshid li_fat_id ' +
    '_hsenc _hsmi hsctatracking mkt_tok vero_id oly_anon_id oly_enc_id s_cid epik srsltid'
  ).split(' '),
);
const TRACKING_PREFIXES = ['utm_', 'mtm_', 'pk_'] as const;
const SESSION_NAMES = new Set('phpsessid jsessionid aspsessionid cfid cftoken sessionid session_id'.split(' '));
/** Short names that only a long random value makes a session. */
const SESSION_LIKE = new Set(['sid', 'sess', 's']);
const SESSION_VALUE = /^[0-9a-z_-]{16,}$/i;
const PATH_SESSION = /;(?:jsessionid|phpsessid)=[^/;]*/gi;
const INDEX_FILE = /\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i;
const PERCENT_CODE = /%([0-9a-f]{2})/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

function keptFragment(hash: string, rules: UrlRules): string {
  return rules.urlForm.fragment === 'hashbang' && /^#[!/]/.test(hash) ? hash : '';
}

/** False when the rules leave no host. Setting a host keeps the port; an IP address takes no `www.`. */
function formHost(url: URL, rules: UrlRules): boolean {
  const { scheme, www } = rules.urlForm;
  if (scheme === 'https' && url.protocol === 'http:') url.protocol = 'https:';
  let host = withoutEnding(url.hostname, '.');
  if (host === '') return false;
  if (www === 'remove') host = host.replace(/^(?:www\.)+(?=[^.]+\.)/, '');
  if (www === 'add' && !host.startsWith('www.') && isSiteName(host)) host = `www.${host}`;
  if (host !== url.hostname) url.hostname = host;
  return true;
}

/** The text without the run of one character at its end. A regular expression would try every run: O(length²). */
function withoutEnding(text: string, char: string): string {
  let end = text.length;
  while (text[end - 1] === char) end--;
  return text.slice(0, end);
}

/** Two labels (`example.com`): a deeper name is a site of its own and never answers at `www.`. */
function isSiteName(host: string): boolean {
  return /^[^.:[\]]+\.[^.:[\]]*[^.:[\]\d][^.:[\]]*$/.test(host);
}

/** Until nothing changes: a rule may uncover what an earlier one removes (`/index.html/index.html`). */
function formPath(url: URL, rules: UrlRules): void {
  for (let before = ''; before !== url.pathname; ) {
    before = url.pathname;
    url.pathname = formedPath(before, rules);
  }
}

function formedPath(pathname: string, rules: UrlRules): string {
  const { trailingSlash, indexFiles } = rules.urlForm;
  let path = foldPercentCodes(pathname);
  if (rules.stripSession) path = path.replace(PATH_SESSION, '');
  if (indexFiles === 'strip') path = path.replace(INDEX_FILE, '/');
  if (trailingSlash === 'remove') path = withoutEnding(path, '/') || '/';
  if (trailingSlash === 'add' && !/\/$|\.[^/.]+$/.test(path)) path = `${path}/`;
  return path;
}

function formQuery(url: URL, rules: UrlRules): void {
  if (url.search === '') {
    url.search = '';
    return;
  }
  const parts = foldPercentCodes(url.search.slice(1))
    .split('&')
    .filter((part) => part !== '' && keepsParam(part, rules));
  if (rules.urlForm.sortQuery) parts.sort();
  url.search = parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function keepsParam(part: string, rules: UrlRules): boolean {
  const equals = part.indexOf('=');
  const name = equals < 0 ? part : part.slice(0, equals);
  const folded = name.toLowerCase();
  const { mode, allow, strip } = rules.queryParams;
  if (mode === 'drop' || (mode === 'allow' && !isNamed(name, allow)) || isNamed(name, strip)) return false;
  if (rules.stripTracking && isTracking(folded)) return false;
  return !(rules.stripSession && isSession(folded, equals < 0 ? '' : part.slice(equals + 1)));
}

function isNamed(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

function isTracking(name: string): boolean {
  return TRACKING.has(name) || TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function isSession(name: string, value: string): boolean {
  if (SESSION_NAMES.has(name) || name.startsWith('aspsessionid')) return true;
  return SESSION_LIKE.has(name) && SESSION_VALUE.test(value) && /\d/.test(value);
}

/** Upper-case codes, unreserved characters decoded (RFC 3986 section 6.2.2), but never into a new code (`%2%66`). */
export function foldPercentCodes(text: string): string {
  return text.replace(PERCENT_CODE, (code, digits: string, offset: number) => {
    const char = String.fromCharCode(Number.parseInt(digits, 16));
    const followsStray = text[offset - 1] === '%' || text[offset - 2] === '%';
    return UNRESERVED.test(char) && !followsStray ? char : code.toUpperCase();
  });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX_ID = /^(?=.*\d)[0-9a-f]{8,}$/i;
const DATE = /^(?:19|20)\d\d([-_.]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])$|^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/;
const EXTENSION = /\.[a-z][a-z0-9]{0,5}$/i;

/** Segments whose text is kept: they name the section of a site. */
const KEPT_SEGMENTS = 2;
/** Longer words are titles, not sections. */
const MAX_WORD_CHARS = 20;

/**
 * The family of a normalised URL on its host, without the host: `/blog/{date}/{s}.html?page&sort`. Digits are `{n}`,
 * dates `{date}`, UUIDs and ≥ 8 hexadecimal digits `{id}`, titles `{s}`, words from the third segment on `{w}`.
 */
export function urlPattern(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const path = pathPattern(pathname);
  const names = [...new Set(searchParams.keys())].sort();
  return names.length === 0 ? path : `${path}?${names.map(encodeURIComponent).join('&')}`;
}

/**
 * The pattern with its near kin: all queries of one path are one family (`/shop?…`), and all paths of a section
 * (`/wiki/…`). Equal to the pattern where there are none. No pattern has the form of a family with kin.
 */
export function urlTemplateOf(url: string): string {
  const { pathname, search } = new URL(url);
  if (search !== '') return `${pathPattern(pathname)}?…`;
  const [, section = '', ...rest] = pathname.split('/');
  return rest.length === 0 || section === '' ? pathPattern(pathname) : `/${segmentPattern(section, true)}/…`;
}

function pathPattern(pathname: string): string {
  return pathname
    .split('/')
    .map((segment, at) => (segment === '' ? '' : segmentPattern(segment, at <= KEPT_SEGMENTS)))
    .join('/');
}

function segmentPattern(segment: string, isKept: boolean): string {
  const extension = EXTENSION.exec(segment)?.[0] ?? '';
  const name = segment.slice(0, segment.length - extension.length);
  return namePattern(name, isKept) + extension.toLowerCase();
}

function namePattern(name: string, isKept: boolean): string {
  if (DATE.test(name)) return '{date}';
  if (/^\d+$/.test(name)) return '{n}';
  if (UUID.test(name) || HEX_ID.test(name)) return '{id}';
  if (name.length > MAX_WORD_CHARS || name.split('-').length > 2) return '{s}';
  return isKept ? name : '{w}';
}
