import { Cookie, defaultPath, pathMatch } from 'tough-cookie';
import type { Clock } from '../../core/clock.ts';
import type { CookieJar } from '../fetcher.ts';

/** Reliability: limits on what is fetched. The oldest goes first. */
const MAX_PER_HOST = 50;
const MAX_HOSTS = 1_000;
/** RFC 6265 section 6.1: what every client takes. */
const MAX_CHARS = 4_096;

/** Keys are path and name. */
type Kept = Map<string, Cookie>;

/**
 * Cookies by host. `Domain` is not looked at, so that no host can set a cookie for another one; `Secure` ones are
 * not sent over http.
 */
export function createCookieJar(clock: Clock): CookieJar {
  const hosts = new Map<string, Kept>();
  return {
    cookiesFor(url) {
      const { hostname, pathname, protocol } = new URL(url);
      const kept = hosts.get(hostname);
      if (kept === undefined) return NONE;
      const now = clock.now();
      const matching = [...kept.values()].filter(
        ({ path, secure }) => pathMatch(pathname, path ?? '/') && (!secure || protocol === 'https:'),
      );
      const live = matching.filter((cookie) => !isOver(cookie, now));
      // The longest path wins: it comes last and replaces the others.
      live.sort((a, b) => (a.path?.length ?? 0) - (b.path?.length ?? 0));
      return new Map(live.map(({ key, value }) => [key, value]));
    },
    keep(url, setCookies) {
      const { hostname, pathname } = new URL(url);
      const kept = hosts.get(hostname) ?? new Map<string, Cookie>();
      const now = clock.now();
      const changes = setCookies.map((text) => keepOne(kept, { text, path: defaultPath(pathname), now }));
      hosts.delete(hostname);
      if (kept.size > 0) hosts.set(hostname, kept);
      dropOldest(hosts, MAX_HOSTS);
      return changes.includes(true);
    },
  };
}

const NONE: ReadonlyMap<string, string> = new Map();

type Sent = { readonly text: string; readonly path: string; readonly now: number };

function keepOne(kept: Kept, { text, path, now }: Sent): boolean {
  if (text.length > MAX_CHARS) return false;
  const cookie = Cookie.parse(text);
  if (cookie === undefined || cookie.key === '') return false;
  if (cookie.path?.startsWith('/') !== true) cookie.path = path;
  cookie.creation = new Date(now);
  const key = `${cookie.path} ${cookie.key}`;
  const before = kept.get(key);
  kept.delete(key);
  if (isOver(cookie, now)) return before !== undefined;
  kept.set(key, cookie);
  dropOldest(kept, MAX_PER_HOST);
  return before?.value !== cookie.value;
}

function isOver(cookie: Cookie, now: number): boolean {
  return (cookie.expiryTime() ?? Number.POSITIVE_INFINITY) <= now;
}

function dropOldest(entries: Map<string, unknown>, most: number): void {
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
