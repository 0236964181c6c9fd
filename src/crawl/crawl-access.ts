import type { Clock } from '../core/clock.ts';
import type { StoredSecret } from '../core/crawler-secrets.ts';
import { AppError, invalidRequest, type Problem } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import { type LoginPage, readLoginPage } from '../extract/login-page.ts';
import type { CookieJar, FetchAccess, FetchedResource, Fetcher, FetchRequest } from '../fetch/fetcher.ts';
import type { Log } from '../observability/logger.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import { isCookieValue, isHeaderValue, isProxy } from './rules/access-settings.ts';
import { type CrawlRules, compileCrawlRules } from './rules/crawl-rules.ts';
import type { CrawlSettings } from './rules/settings.ts';

/** What a crawler of this process gets in with. */
export type OpenedAccess = {
  readonly access: FetchAccess;
  /** Undefined for a crawler without form login. */
  readonly login: SiteLogin | undefined;
};

export type CrawlAccess = {
  /**
   * Opens the secrets of a crawler. Cookies and the login live in this process until a setting of access changes.
   * @throws AppError `request.invalid` naming every secret that cannot be read here, and none of their values
   */
  of(crawlerId: number, rules: CrawlRules): OpenedAccess;
};

export type CrawlAccessDeps = {
  /** Undefined for a secret that cannot be opened, or a variable that is not set. */
  readonly openSecret: (secret: StoredSecret) => string | undefined;
  readonly newJar: () => CookieJar;
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly clock: Clock;
};

/** Crawlers whose cookies are kept; the one used longest ago goes first. */
const MAX_SESSIONS = 1_000;

type Session = OpenedAccess & { readonly key: string };

export function createCrawlAccess(deps: CrawlAccessDeps): CrawlAccess {
  const sessions = new Map<number, Session>();
  return {
    of(crawlerId, rules) {
      const key = sessionKey(rules);
      const known = sessions.get(crawlerId);
      const session = known?.key === key ? known : { key, ...openAccess(deps, rules) };
      sessions.delete(crawlerId);
      sessions.set(crawlerId, session);
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
      return session;
    },
  };
}

/** Everything that decides who gets what; limits and pace may change within a session. */
function sessionKey({ settings, limits }: CrawlRules): string {
  const { seeds, domains, privateNames, headers, cookies, basicAuth, login, proxy, tls } = settings;
  return JSON.stringify([seeds, domains, privateNames, headers, cookies, basicAuth, login, proxy, tls, limits]);
}

function openAccess(deps: CrawlAccessDeps, rules: CrawlRules): OpenedAccess {
  const { settings, home } = rules;
  const problems: Problem[] = [];
  const open = (secret: StoredSecret, path: string, accepts: (text: string) => boolean) => {
    const text = deps.openSecret(secret);
    if (text !== undefined && accepts(text)) return text;
    problems.push({ path, message: `${path}: ${whyUnread(secret, text)}` });
    return '';
  };
  const all = (secrets: Readonly<Record<string, StoredSecret>>, path: string, accepts: (text: string) => boolean) =>
    Object.fromEntries(
      Object.entries(secrets).map(([name, secret]) => [name, open(secret, `${path}.${name}`, accepts)]),
    );

  const { basicAuth, proxy, login } = settings;
  const password = basicAuth && open(basicAuth.password, 'basicAuth.password', () => true);
  const headers = {
    ...lowerCased(all(settings.headers, 'headers', isHeaderValue)),
    ...(basicAuth && { authorization: basicAuthorization(basicAuth.username, password ?? '') }),
  };
  const credentials = {
    goTo: home,
    headers,
    cookies: all(settings.cookies, 'cookies', isCookieValue),
    jar: deps.newJar(),
  };
  const access: FetchAccess = {
    ...rules.access,
    credentials,
    proxy: proxy && open(proxy, 'proxy', isProxy),
  };
  const fields = login && all(login.fields, 'login.fields', () => true);
  if (problems.length > 0) throw invalidRequest(problems);
  return { access, login: login && createSiteLogin(deps, { ...login, fields: fields ?? {} }, { rules, access }) };
}

function whyUnread(secret: StoredSecret, text: string | undefined): string {
  if (text !== undefined) return 'has characters that cannot be sent';
  if (typeof secret !== 'string') return `the variable ${secret.fromEnv} is not set where the crawler runs`;
  return 'was stored under another SECRETS_KEY: set it again';
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** RFC 7617, in UTF-8. */
function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Fields with their secrets opened. */
export type LoginSettings = Omit<NonNullable<CrawlSettings['login']>, 'fields'> & {
  readonly fields: Readonly<Record<string, string>>;
};

/** `refused`: the site answered, and it was no; `why` is a sentence for the operator without any secret. */
export type LoginResult = { readonly state: 'in' } | { readonly state: 'refused'; readonly why: string };

/** What a visit has seen, by HTTP or in the browser. */
export type LoginResponse = Pick<FetchedResource, 'url' | 'status' | 'headers' | 'body'>;

/** The session of one crawler in one process; its cookies are in the jar of the access. */
export type SiteLogin = {
  /**
   * Logs in at first, and when the last login is `everyMinutes` old. Visits at once share one attempt, which goes on
   * under the signal of another when its own ends; a refusal is remembered for 10 min, so that no account is locked by
   * the crawler.
   * @throws AppError `fetch.*` when the site could not be asked
   */
  enter(signal: AbortSignal): Promise<LoginResult>;
  /** Once more although nobody is due; undefined when the last attempt is less than 10 min ago. */
  enterAgain(signal: AbortSignal): Promise<LoginResult | undefined>;
  /** The answer to a visit of `url` is what somebody sees who is not logged in. */
  looksLoggedOut(url: string, page: LoginResponse): boolean;
  /** The way of redirects leads to the form. */
  leadsToForm(hops: readonly { readonly to: string }[]): boolean;
};

type Deps = { readonly fetcher: Pick<Fetcher, 'fetch'>; readonly clock: Clock };
type Of = { readonly rules: CrawlRules; readonly access: FetchAccess };
type Login = { readonly deps: Deps; readonly settings: LoginSettings; readonly of: Of };

const MINUTE = 60_000;
/** Least time between two attempts that no schedule asked for (crawling: fetching). */
const PAUSE_MS = 10 * MINUTE;
const MAX_REDIRECTS = 10;

function createSiteLogin(deps: Deps, settings: LoginSettings, input: Of): SiteLogin {
  let last: { readonly at: number; readonly result: LoginResult } | undefined;
  let running: { readonly by: AbortSignal; readonly result: Promise<LoginResult> } | undefined;

  const begin = (signal: AbortSignal) => {
    const result = logIn({ deps, settings, of: input }, signal)
      .then((made) => {
        last = { at: deps.clock.now(), result: made };
        return made;
      })
      .finally(() => {
        running = undefined;
      });
    return { by: signal, result };
  };
  const attempt = async (signal: AbortSignal): Promise<LoginResult> => {
    for (;;) {
      running ??= begin(signal);
      const { by, result } = running;
      try {
        return await result;
      } catch (error) {
        if (!by.aborted || signal.aborted) throw error;
      }
    }
  };
  const age = () => (last === undefined ? Number.POSITIVE_INFINITY : deps.clock.now() - last.at);
  const form = withoutQuery(settings.url);

  return {
    async enter(signal) {
      if (running !== undefined) return attempt(signal);
      const isOver = age() >= (last?.result.state === 'refused' ? PAUSE_MS : settings.everyMinutes * MINUTE);
      return last === undefined || isOver ? attempt(signal) : last.result;
    },
    async enterAgain(signal) {
      if (running !== undefined) return attempt(signal);
      return age() < PAUSE_MS ? undefined : attempt(signal);
    },
    looksLoggedOut: (url, resource) => {
      if (!input.rules.home(new URL(url).origin) || withoutQuery(url) === form) return false;
      const { status } = resource;
      return status === 401 || status === 403 || withoutQuery(resource.url) === form || hasForm(settings, resource);
    },
    leadsToForm: (hops) => hops.some(({ to }) => withoutQuery(to) === form),
  };
}

async function logIn(login: Login, signal: AbortSignal): Promise<LoginResult> {
  const { deps, settings, of: input } = login;
  const page = requireAnswer(await deps.fetcher.fetch(request(input, { url: settings.url }), signal));
  const form = pageOf(page)?.formWith(Object.keys(settings.fields));
  if (form === undefined) return refused(`the page of the form answered ${page.status} without a form`);
  if (form.method !== 'post') return refused('the form is not sent by POST');
  if (!input.rules.home(new URL(form.action).origin))
    return refused('the form sends to a host that is no seed or domain');
  const typed = Object.entries(settings.fields);
  const filled = form.filled.filter(([name]) => !Object.hasOwn(settings.fields, name));
  const sent = request(input, { url: form.action, form: [...filled, ...typed] });
  const answer = requireAnswer(await deps.fetcher.fetch(sent, signal));
  const fault = faultOf(login, answer);
  return fault === undefined ? { state: 'in' } : refused(fault);
}

function request({ rules, access }: Of, what: Pick<FetchRequest, 'url' | 'form'>): FetchRequest {
  return {
    ...what,
    purpose: 'login',
    headers: rules.headers,
    validators: undefined,
    limits: { ...rules.limits, redirects: MAX_REDIRECTS },
    access,
    mayFollow: async (_from, to) =>
      rules.home(new URL(to).origin) ? { follow: true } : { follow: false, reason: 'out-of-domain' },
  };
}

/** A site that fails does not refuse. */
function requireAnswer(resource: FetchedResource): FetchedResource {
  if (resource.status !== 429 && resource.status < 500) return resource;
  throw new AppError('fetch.unavailable', 'The login could not be asked for', { details: { reason: 'server-error' } });
}

/** What of `success` the answer misses. */
function faultOf({ settings, of: input }: Login, answer: FetchedResource): string | undefined {
  const { selector, cookie, url } = settings.success;
  const page = pageOf(answer);
  if (answer.status >= 400) return `the form was answered with ${answer.status}`;
  if (url !== undefined && !answer.url.startsWith(url)) return 'the login did not end at success.url';
  const cookies = input.access.credentials?.jar.cookiesFor(settings.url);
  if (cookie !== undefined && cookies?.has(cookie) !== true) return `the cookie ${cookie} was not set`;
  if (selector !== undefined && page?.has(selector) !== true) return `the answer has no element ${selector}`;
  const isUnspecified = url === undefined && cookie === undefined && selector === undefined;
  return isUnspecified && page?.asksForPassword === true ? 'the form came back' : undefined;
}

function refused(why: string): LoginResult {
  return { state: 'refused', why };
}

/** A page that has what only members see may show the form all the same. */
function hasForm({ fields, success }: LoginSettings, seen: LoginResponse): boolean {
  // A look at the bytes first: every page of the crawler passes here.
  const { body } = seen;
  if (!(body instanceof Uint8Array) || !Buffer.from(body.buffer, body.byteOffset, body.length).includes('password')) {
    return false;
  }
  const page = pageOf(seen);
  if (success.selector !== undefined && page?.has(success.selector) === true) return false;
  return page?.hasForm(Object.keys(fields)) === true;
}

function pageOf({ url, body, headers }: LoginResponse): LoginPage | undefined {
  if (!(body instanceof Uint8Array)) return undefined;
  return readLoginPage({ url, body, contentType: headers.get('content-type') });
}

function withoutQuery(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : url.origin + url.pathname;
}

/** `login-failed`: the site refused · `secrets`: a secret cannot be read where the crawler runs. */
export type AccessFault = { readonly reason: 'login-failed' | 'secrets'; readonly why: string };

/** Pauses the runs of a crawler that cannot get in, until the operator resumes them; their summary says why. */
export async function pauseForAccess(
  deps: { readonly store: Pick<EngineStore, 'pauseRuns'>; readonly clock: Clock; readonly log: Log },
  crawler: Pick<Crawler, 'id'>,
  fault: AccessFault,
): Promise<void> {
  const runIds = await deps.store.pauseRuns(crawler.id, deps.clock.now(), JSON.stringify(fault));
  if (runIds.length > 0) deps.log.error({ crawlerId: crawler.id, runIds, ...fault }, 'the crawler does not get in');
}

/** Why the crawler has nothing to get in with; undefined when it has. */
export function accessFault(access: CrawlAccess, crawler: Crawler): AccessFault | undefined {
  const rules = compileCrawlRules(crawler);
  try {
    access.of(crawler.id, rules);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'request.invalid') throw error;
    const messages = (error.options.problems ?? []).map(({ message }) => message);
    return { reason: 'secrets', why: messages.join('; ') };
  }
}
