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
