import { mapOutsideCode } from './answer-markers.ts';

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
