import sanitizeHtml from 'sanitize-html';

/** What editors need to show a text, a picture and a link. Nothing of it runs, submits, embeds or leaves the flow. */
const TAGS =
  'a abbr address article aside b blockquote br caption cite code col colgroup dd del dfn div dl dt em figcaption ' +
  'figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p picture pre q s samp section small ' +
  'source span strong sub sup table tbody td tfoot th thead time tr u ul var wbr';

/** No `id` and `name`: as names they would shadow the page's own scripts. No `data-*`: page scripts act on them. */
const ATTRIBUTES: Readonly<Record<string, string[]>> = {
  '*': ['class', 'style', 'title', 'lang', 'dir', 'role', 'aria-label', 'aria-hidden', 'aria-describedby'],
  a: ['href', 'target', 'rel'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading'],
  source: ['srcset', 'sizes', 'media', 'type'],
  ol: ['start', 'type', 'reversed'],
  td: ['colspan', 'rowspan', 'headers'],
  th: ['colspan', 'rowspan', 'headers', 'scope'],
  time: ['datetime'],
};

const STYLES =
  'color background-color opacity text-align text-decoration text-transform vertical-align white-space line-height ' +
  'letter-spacing font font-family font-size font-style font-weight width height max-width max-height min-width ' +
  'min-height margin margin-top margin-right margin-bottom margin-left padding padding-top padding-right ' +
  'padding-bottom padding-left border border-top border-right border-bottom border-left border-color border-style ' +
  'border-width border-radius display flex flex-direction flex-wrap align-items justify-content gap float clear';
/** Values without addresses and code: no `url(`, no `expression(`, only colour functions and `calc`. */
const STYLE_VALUE = /^(?:[-\w\s#.,%'"/!]|\b(?:rgba?|hsla?|calc)\([-\w\s.,%/+*]*\))*$/i;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS.split(' '),
  allowedAttributes: ATTRIBUTES,
  allowedStyles: { '*': Object.fromEntries(STYLES.split(' ').map((name) => [name, [STYLE_VALUE]])) },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesAppliedToAttributes: ['href', 'src', 'srcset'],
  nestingLimit: 100,
  // A window that a link opens must not reach back to the page.
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: attribs['target'] === undefined ? attribs : { ...attribs, rel: 'noopener noreferrer' },
    }),
  },
};

/** Deeply nested elements cost quadratic time: 0.1 s at this bound, 7 s at the 1 MB that a body may have. */
const MAX_CHARS = 100_000;
/** Characters of markup whose clean form is remembered, and how many there may be. */
const MAX_KEPT_CHARS = 4_000_000;

/**
 * Makes the sanitiser of banners: an allow-list of tags, attributes, styles and schemes, over the first 100,000
 * characters. What was cleaned lately is remembered. Contract: 2.10.
 */
export function createSanitizer(): (html: string) => string {
  const kept = new Map<string, string>();
  let chars = 0;
  return (html) => {
    const known = kept.get(html);
    if (known !== undefined) return known;
    const clean = sanitizeHtml(html.slice(0, MAX_CHARS), OPTIONS);
    if (chars + html.length + clean.length > MAX_KEPT_CHARS) {
      kept.clear();
      chars = 0;
    }
    kept.set(html, clean);
    chars += html.length + clean.length;
    return clean;
  };
}

/** Links of a banner that are looked at. */
const MAX_LINKS = 100;

/** Where the links of a markup lead, each once, of its first 100,000 characters. */
export function linksOf(html: string): readonly string[] {
  const links = new Set<string>();
  const note: sanitizeHtml.Transformer = (tagName, attribs) => {
    if (attribs['href'] !== undefined && links.size < MAX_LINKS) links.add(attribs['href'].trim());
    return { tagName, attribs };
  };
  sanitizeHtml(html.slice(0, MAX_CHARS), { ...OPTIONS, transformTags: { a: note } });
  return [...links];
}
