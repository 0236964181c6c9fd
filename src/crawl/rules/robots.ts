import { REASONS, type Reason } from '../../core/crawl-words.ts';
import { foldPercentCodes } from '../../core/url.ts';

export type RobotsRule = {
  readonly allow: boolean;
  /** Percent codes folded, other than ASCII encoded. */
  readonly path: string;
  /** Line of the file, from 1. */
  readonly line: number;
  readonly text: string;
};

export type RobotsGroup = {
  /** Product tokens in lower case, or `*`. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
};

export type Robots = {
  readonly groups: readonly RobotsGroup[];
  /** Product token or `*` → seconds between two requests. */
  readonly crawlDelays: ReadonlyMap<string, number>;
  readonly sitemaps: readonly string[];
};

/** `rule` is undefined when no rule matches: then everything is allowed. */
export type RobotsVerdict = { readonly allowed: boolean; readonly rule: RobotsRule | undefined };

/** Stored as status of a copy when there was no answer at all, less the code of the reason. */
export const NO_ROBOTS_ANSWER = 0;

/** Why there was no answer; undefined when there was one. */
export function robotsFailure(status: number): Reason | undefined {
  return status < NO_ROBOTS_ANSWER ? REASONS[NO_ROBOTS_ANSWER - status] : undefined;
}

/** What of a file is read; it is cut at the last full line (RFC 9309 section 2.5, reliability 9). */
export const ROBOTS_BYTES = 500 * 1024;
/** Longest `Crawl-delay` that is obeyed. */
const MAX_DELAY_SECONDS = 60;

/** Reads a robots.txt (RFC 9309). Tolerates a byte order mark, any line ends, missing colons and unknown lines. */
export function parseRobots(body: Uint8Array): Robots {
  const open: OpenFile = {
    groups: [],
    crawlDelays: new Map(),
    sitemaps: [],
    inAgents: false,
    delayed: [],
    afterMember: true,
  };
  for (const [index, line] of textOf(body)
    .split(/\r\n|\r|\n/)
    .entries()) {
    const entry = entryOf(line);
    if (entry !== undefined) READERS[entry.key](open, entry.value, index + 1);
  }
  const { groups, crawlDelays, sitemaps } = open;
  return { groups, crawlDelays, sitemaps };
}

/**
 * Whether a product token may fetch a normalised URL: the longest matching rule of its groups, or of `*` when it has
 * none; `allow` wins a tie. O(rules × length), whatever the wildcards.
 */
export function judgeRobots(robots: Robots, token: string, url: string): RobotsVerdict {
  const { pathname, search } = new URL(url);
  if (pathname === '/robots.txt') return { allowed: true, rule: undefined };
  const path = foldPercentCodes(pathname + search);
  let best: RobotsRule | undefined;
  for (const rule of groupsOf(robots, token).flatMap(({ rules }) => rules)) {
    const longer = rule.path.length - (best?.path.length ?? -1);
    const wins = longer > 0 || (longer === 0 && rule.allow && best?.allow === false);
    if (wins && matchesPath(path, rule.path)) best = rule;
  }
  return { allowed: best?.allow ?? true, rule: best };
}

/** Seconds between two requests that the site asks of this token, at most 60. */
export function crawlDelayOf(robots: Robots, token: string): number | undefined {
  const own = token.toLowerCase();
  const isNamed = robots.groups.some(({ agents }) => agents.includes(own));
  const delay = robots.crawlDelays.get(isNamed ? own : '*');
  return delay === undefined ? undefined : Math.min(delay, MAX_DELAY_SECONDS);
}

type OpenFile = {
  readonly groups: { readonly agents: string[]; readonly rules: RobotsRule[] }[];
  readonly crawlDelays: Map<string, number>;
  readonly sitemaps: string[];
  /** The last line with a meaning of RFC 9309 was an agent. */
  inAgents: boolean;
  /** Agents that a delay belongs to: the last ones named in a row, without a rule or delay between them. */
  delayed: string[];
  afterMember: boolean;
};

type Key = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap';
type Entry = { readonly key: Key; readonly value: string };

const READERS: Readonly<Record<Key, (open: OpenFile, value: string, line: number) => void>> = {
  'user-agent': (open, value) => {
    if (!open.inAgents) open.groups.push({ agents: [], rules: [] });
    const token = tokenOf(value);
    open.groups.at(-1)?.agents.push(token);
    open.delayed = open.afterMember ? [token] : [...open.delayed, token];
    open.inAgents = true;
    open.afterMember = false;
  },
  allow: (open, value, line) => addRule(open, { allow: true, value, line }),
  disallow: (open, value, line) => addRule(open, { allow: false, value, line }),
  // No rule of RFC 9309: it does not end the list of agents that the next rule belongs to.
  'crawl-delay': (open, value) => {
    const isNumber = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(value);
    for (const token of isNumber ? open.delayed : []) open.crawlDelays.set(token, Number(value));
    open.afterMember = true;
  },
  sitemap: (open, value) => open.sitemaps.push(value),
};

function textOf(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, ROBOTS_BYTES));
  if (body.length <= ROBOTS_BYTES) return text;
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'), 0));
}

/** Spellings that site owners use; Google's parser takes them too. */
const KEYS: ReadonlyMap<string, Key> = new Map([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
]);

function entryOf(line: string): Entry | undefined {
  const text = (line.split('#', 1)[0] ?? '').trim();
  const parts = text.includes(':') ? /^([^:]*):(.*)$/s.exec(text) : /^(\S+)\s+(\S+)$/.exec(text);
  const key = KEYS.get(parts?.[1]?.trim().toLowerCase() ?? '');
  return key === undefined ? undefined : { key, value: parts?.[2]?.trim() ?? '' };
}

/** `*`, or the token before a version: letters, `-` and `_` (RFC 9309 section 2.2.1). */
function tokenOf(value: string): string {
  return /^\*(?:\s|$)/.test(value) ? '*' : (/^[a-z_-]*/i.exec(value)?.[0] ?? '').toLowerCase();
}

function addRule(open: OpenFile, { allow, value, line }: { allow: boolean; value: string; line: number }): void {
  open.inAgents = false;
  open.afterMember = true;
  if (value === '') return;
  const text = `${allow ? 'Allow' : 'Disallow'}: ${value}`;
  open.groups.at(-1)?.rules.push({ allow, path: foldPercentCodes(encodeNonAscii(value)), line, text });
}

function encodeNonAscii(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, (part) => encodeURIComponent(part.toWellFormed()));
}

function groupsOf({ groups }: Robots, token: string): readonly RobotsGroup[] {
  const own = groups.filter(({ agents }) => agents.includes(token.toLowerCase()));
  return own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'));
}

/** `*` stands for any characters, a final `$` for the end. Greedy from the left, which is enough without alternatives. */
function matchesPath(path: string, pattern: string): boolean {
  const atEnd = pattern.endsWith('$');
  const parts = (atEnd ? pattern.slice(0, -1) : pattern).split('*');
  const first = parts.shift() ?? '';
  const last = atEnd ? parts.pop() : undefined;
  if (!path.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts) {
    const at = path.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  if (!atEnd) return true;
  return last === undefined ? from === path.length : path.length - last.length >= from && path.endsWith(last);
}
