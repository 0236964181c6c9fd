import { Cookie, defaultPath, pathMatch } from 'tough-cookie';
import type { Clock } from '../../core/clock.ts';
import type { CookieJar } from '../fetcher.ts';

/** Reliability: limits on what is fetched. The oldest goes first. */
const MAX_PER_HOST = 50;
const MAX_HOSTS = 1_000;
/** RFC 6265 section 6.1: what every client takes. */
const MAX_CHARS = 4_096;

type StoredCookie = {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  readonly untilAt: number;
};
/** Keys are path and name. */
type StoredCookies = Map<string, StoredCookie>;

/**
 * Cookies by host. `Domain` is not looked at, so that no host can set a cookie for another one; `Secure` ones are
 * not sent over http.
 */
export function createCookieJar(clock: Clock): CookieJar {
  const hosts = new Map<string, StoredCookies>();
  return {
    cookiesFor(url) {
      const { hostname, pathname, protocol } = new URL(url);
      const kept = hosts.get(hostname);
      if (kept === undefined) return NONE;
      const now = clock.now();
      const matching = [...kept.values()].filter(
        ({ path, isSecure, untilAt }) =>
          untilAt > now && pathMatch(pathname, path) && (!isSecure || protocol === 'https:'),
      );
      // The longest path wins: it comes last and replaces the others.
      matching.sort((a, b) => a.path.length - b.path.length);
      return new Map(matching.map(({ name, value }) => [name, value]));
    },
    keep(url, setCookies) {
      const { hostname, pathname } = new URL(url);
      const kept = hosts.get(hostname) ?? new Map<string, StoredCookie>();
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

function keepOne(kept: StoredCookies, { text, path: folder, now }: Sent): boolean {
  if (text.length > MAX_CHARS) return false;
  const cookie = Cookie.parse(text);
  if (cookie === undefined || cookie.key === '') return false;
  const path = cookie.path?.startsWith('/') === true ? cookie.path : folder;
  const key = `${path} ${cookie.key}`;
  const before = kept.get(key);
  kept.delete(key);
  const untilAt = cookie.expiryTime(new Date(now)) ?? Number.POSITIVE_INFINITY;
  if (untilAt <= now) return before !== undefined;
  kept.set(key, { name: cookie.key, value: cookie.value, path, isSecure: cookie.secure, untilAt });
  dropOldest(kept, MAX_PER_HOST);
  return before?.value !== cookie.value;
}

function dropOldest(entries: Map<string, unknown>, most: number): void {
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
