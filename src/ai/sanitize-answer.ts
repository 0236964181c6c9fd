/** URLs that an answer may link to, without their fragments. */
export type AllowedUrls = ReadonlySet<string>;

/** The allow-list of the URLs of index records. */
export function allowUrls(urls: Iterable<string>): AllowedUrls {
  return new Set([...urls].map(withoutFragment).filter((url) => url !== ''));
}

/**
 * Markdown of a segment without what could reach out of the answer: images, HTML, reference definitions, and each link
 * but those to a URL of the allow-list, whose text stays. Loopback URLs become code, as documentation names them. What
 * stands in code spans stays. Idempotent; linear.
 */
export function sanitizeAnswer(markdown: string, allowed: AllowedUrls): string {
  let text = markdown;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const clean = mapOutsideCode(
      text,
      (prose) => sanitizeProse(prose, allowed),
      (code) => code,
    );
    if (clean === text) return text;
    text = clean;
  }
  return text.replace(/[`<>[\]()]/g, '').replace(BARE_URL, '');
}

/** What is taken out may leave something else together; a text that still changes then loses its marks. */
const MAX_PASSES = 6;

const IMAGE = /!\[[^\]\n]{0,500}\](?:\([^)\n]{0,2000}\)?|\[[^\]\n]{0,200}\])?/g;
const COMMENT_OR_TAG = /<(?:!--[^>]{0,2000}(?:-->|>)?|\/?[a-zA-Z!?][^>]{0,2000}>?)/g;
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,20}:[^\s<>]{1,2000}|[^\s<>@]{1,64}@[^\s<>@]{1,200})>/gi;
const DEFINITION = /^[ \t]{0,3}\[[^\]\n]{1,500}\]:[ \t]*\S{0,2000}.{0,500}$/gm;
const LINK = /\[([^\]\n]{0,500})\]\(([^)\n]{0,2500})\)/g;
const BARE_URL =
  /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|(?<![\p{L}\p{N}])(?:javascript|data|vbscript|mailto|xmpp|tel|file|blob):(?=\S)|(?<![\p{L}\p{N}])www\.)[^\s<>"'`)\]]{0,2000}/giu;
const LOOPBACK = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)(?::\d{1,5})?(?:\/[\w./-]*)?$/i;
const TRAILING = /[.,;:!?]+$/;

/** Stands around what is kept; a text of the guard holds none (U+E000 is private use). */
const KEPT = '\ue000';

function sanitizeProse(text: string, allowed: AllowedUrls): string {
  const kept: string[] = [];
  const keep = (part: string) => `${KEPT}${kept.push(part) - 1}${KEPT}`;
  const bare = (match: string): string => {
    const [tail = ''] = TRAILING.exec(match) ?? [];
    const url = match.slice(0, match.length - tail.length);
    if (LOOPBACK.test(url)) return keep(`\`${url}\``) + tail;
    return (allowed.has(withoutFragment(url)) ? keep(url) : '') + tail;
  };
  return text
    .replaceAll(KEPT, '')
    .replace(IMAGE, '')
    .replace(AUTOLINK, '$1')
    .replace(COMMENT_OR_TAG, '')
    .replace(DEFINITION, '')
    .replace(LINK, (_, label: string, target: string) => {
      const url = urlOfTarget(target);
      return allowed.has(withoutFragment(url)) ? keep(`[${label.replace(BARE_URL, '')}](${url})`) : label;
    })
    .replace(BARE_URL, bare)
    .replace(/\](?=[([])/g, '] ')
    .replace(/<(?=[a-zA-Z/!?])/g, '< ')
    .split(KEPT)
    .map((part, i) => (i % 2 === 0 ? part : (kept[Number(part)] ?? '')))
    .join('');
}

/** What a reader sees of links: their text. */
export function visibleText(markdown: string): string {
  return markdown.replace(LINK, '$1').replace(BARE_URL, ' ');
}

/** Without angle brackets and title. */
function urlOfTarget(target: string): string {
  return (target.trim().split(/\s/, 1)[0] ?? '').replace(/^<|>$/g, '');
}

function withoutFragment(url: string): string {
  if (!URL.canParse(url)) return '';
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

/** Text of a segment without its markers, and what they name. */
export type MarkedText = {
  readonly text: string;
  /** Numbers of sources, each once, in order; those of no source are left out. */
  readonly references: readonly number[];
  /** `[n|"exact words"]`: what the writer read in a source of another language. */
  readonly grounding: readonly { readonly reference: number; readonly words: string }[];
};

const BACKTICKS = /`+/g;
const BRACKETED =
  /\[{1,2}\^?(?:source |sources |ref\.? |quelle |kilde )?(\d{1,4}(?:\s{0,2}[,;–-]\s{0,2}\d{1,4}){0,9})(?:\s{0,2}\|([^\n\]]{0,240}))?\]{1,2}(?:\([^)\n]{0,400}\))?/gi;
const LENTICULAR = /【\s{0,3}(\d{1,4})[^】\n]{0,60}】/g;
const MAX_RANGE = 8;

/**
 * Takes markers of any spelling out of prose: `[1]`, `[1, 2]`, `[1-3]`, `[[1]]`, `[^1]`, `[Source 1]`, `[1](…)`,
 * `【1†x】`, `[1|"words"]`. In code spans digits in brackets are code, and get blanks so that nobody reads them as
 * markers.
 */
export function readMarkers(segment: string, sourceCount: number): MarkedText {
  const references = new Set<number>();
  const grounding: { reference: number; words: string }[] = [];
  const note = (list: string, words: string | undefined): string => {
    for (const reference of referencesOf(list)) {
      if (reference < 1 || reference > sourceCount) continue;
      references.add(reference);
      if (words !== undefined) grounding.push({ reference, words });
    }
    return '';
  };
  const prose = (text: string) =>
    text
      .replace(LENTICULAR, (_, list: string) => note(list, undefined))
      .replace(BRACKETED, (_, list: string, words?: string) => note(list, words));
  const text = mapOutsideCode(segment, prose, spaceDigits).replace(/[ \t]+(?=[.,;:!?])(?![.,;:!?]\w)/g, '');
  return { text, references: [...references], grounding };
}

/** Digits in brackets inside code: `a[0]` becomes `a[ 0 ]`. Idempotent. */
export function spaceDigits(code: string): string {
  return code.replace(/\[(\d{1,15})\]/g, '[ $1 ]');
}

/**
 * Changes what stands outside of code spans in one way and these in another. A span is closed by as many backticks as
 * opened it (CommonMark 6.1); backticks without a partner go, so that they open no span in what follows.
 */
function mapOutsideCode(text: string, prose: (text: string) => string, code: (text: string) => string): string {
  const runs = [...text.matchAll(BACKTICKS)];
  let result = '';
  let end = 0;
  for (const [i, run] of runs.entries()) {
    if (run.index < end || text[run.index - 1] === '\\') continue;
    const close = runs.slice(i + 1).find((other) => other[0].length === run[0].length);
    if (close === undefined) continue;
    result += prose(text.slice(end, run.index).replace(STRAY_BACKTICKS, ''));
    end = close.index + close[0].length;
    result += code(text.slice(run.index, end));
  }
  return result + prose(text.slice(end).replace(STRAY_BACKTICKS, ''));
}

const STRAY_BACKTICKS = /\\?`+/g;

function referencesOf(list: string): readonly number[] {
  return list.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–-]/).map(Number);
    const length = Math.min(Math.max(1, last - first + 1), MAX_RANGE);
    return Array.from({ length }, (_, i) => first + i);
  });
}
