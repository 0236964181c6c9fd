import type { PageElement } from './page-tree.ts';

/** What names of classes, ids, roles and properties say about a region. The order is that of the model's features. */
const PATTERNS = {
  nav: /\b(nav|navbar|navigation|menu|megamenu|topbar|toolbar|skip)/,
  breadcrumb: /crumb/,
  side: /side-?bar|\bside\b|\bright-?col|\bleft-?col|\brail|aside|secondary/,
  foot: /foot/,
  head: /header|masthead|topnav|\btop\b/,
  related:
    /related|recommend|similar|more-|also-|read-?next|suggest|popular|trending|latest|recent|you-may|upsell|cross-?sell/,
  share: /share|social|facebook|twitter|pinterest|whatsapp/,
  comment: /comment|disqus|respond/,
  cookie: /cookie|consent|gdpr|privacy|onetrust/,
  advert: /\bads?\b|advert|sponsor|promo|banner|dfp|outbrain|taboola/,
  newsletter: /newsletter|subscri|sign-?up|signup|opt-?in|mailchimp|cta|call-to/,
  modal: /modal|popup|overlay|dialog|lightbox|drawer|offcanvas|off-canvas|toast/,
  login: /login|log-in|signin|register|account|cart|basket|checkout|wishlist/,
  search: /search|filter|facet|sort|refine/,
  pages: /pagina|pager|\bpages?\b|load-?more/,
  tags: /\btags?\b|label|badge|chip|categor|topic/,
  meta: /meta|byline|author|date|posted|published|timestamp|avatar|profile|bio/,
  hidden: /hidden|visually|sr-only|screen-reader|hide|collapse|invisible|d-none/,
  content: /content|article|post\b|post-|entry|story|body|text|copy|prose|rich|markdown|wysiwyg|rte/,
  main: /\bmain\b|primary|central|center|middle/,
  product: /product|\bpdp|sku|item-|detail/,
  summary: /desc|summary|intro|overview|about|lead|excerpt|abstract/,
  price: /price|cost|amount|currency/,
  review: /review|rating|stars|testimonial|quote/,
  spec: /spec|attribut|feature|param|tech/,
  forum: /forum|thread|topic|message|reply|replies|discussion|question|answer|\bpost_|postbody|bbcode|signature/,
  card: /card|tile|teaser|grid|list|item|row|col\b|col-|product-item|result/,
  contents: /\btoc\b|table-of|contents|on-this-page|outline|anchor/,
  faq: /faq|accordion|tab\b|tabs|panel|toggle/,
  hero: /hero|jumbotron|headline|title|heading/,
  code: /code|highlight|snippet|prettyprint/,
  widget: /widget|module|block|plugin/,
  copyright: /copyright|legal|disclaimer|terms|imprint/,
  form: /form|input|field|contact/,
  image: /caption|gallery|image|media|photo|slider|carousel|swiper/,
} as const;

export const CLASS_WORDS = Object.keys(PATTERNS);
const TESTS = Object.values(PATTERNS);
const MAX_LABEL_CHARS = 40;
const MAX_CHARS = 400;
const NONE: readonly number[] = [];

/** Positions in `CLASS_WORDS` that an element's names match. Equal names are matched once, and so is each of them. */
export function classWordTest(): (element: PageElement) => readonly number[] {
  const byNames = new Map<string, readonly number[]>();
  const byName = new Map<string, readonly number[]>();
  return (element) => {
    const names = namesOf(element);
    if (names === '') return NONE;
    let found = byNames.get(names);
    if (found === undefined) {
      found = [...new Set(names.split(/\s+/).flatMap((name) => wordsOfName(byName, name)))];
      byNames.set(names, found);
    }
    return found;
  };
}

/** No pattern reaches over a blank. */
function wordsOfName(known: Map<string, readonly number[]>, name: string): readonly number[] {
  let found = known.get(name);
  if (found === undefined) {
    found = TESTS.flatMap((pattern, at) => (pattern.test(name) ? [at] : []));
    known.set(name, found);
  }
  return found;
}

/** Lower case, cut: long lists of utility classes say little at their end. */
export function namesOf({ attributes }: PageElement): string {
  let names = '';
  for (const name in attributes) {
    if (NAMING.has(name)) names += `${attributes[name] ?? ''} `;
    else if (name === 'aria-label') names += `${(attributes[name] ?? '').slice(0, MAX_LABEL_CHARS)} `;
  }
  return names === '' ? names : names.slice(0, MAX_CHARS).toLowerCase();
}

const NAMING = new Set(['class', 'id', 'role', 'data-testid', 'data-component', 'itemprop']);
