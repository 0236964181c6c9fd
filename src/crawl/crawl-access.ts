import type { Clock } from '../core/clock.ts';
import type { StoredSecret } from '../core/crawler-secrets.ts';
import { invalidRequest, type Problem } from '../core/errors.ts';
import type { CookieJar, FetchAccess, Fetcher } from '../fetch/fetcher.ts';
import { isCookieValue, isHeaderValue, isProxy } from './rules/access-settings.ts';
import type { CrawlRules } from './rules/crawl-rules.ts';
import { createSiteLogin, type SiteLogin } from './site-login.ts';

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
