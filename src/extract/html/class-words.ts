import type { PageElement } from './page-tree.ts';
import { findWords, wordFinder } from './word-finder.ts';

/**
 * What names of classes, ids, roles and properties say about a region, as words for `wordFinder`. The order is that of
 * the model's features.
 */
const WORDS = {
  nav: '<nav <menu <megamenu <topbar <toolbar <skip',
  breadcrumb: 'crumb',
  side: 'sidebar side-bar <side> <rightcol <right-col <leftcol <left-col <rail aside secondary',
  foot: 'foot',
  head: 'header masthead topnav <top>',
  related:
    'related recommend similar more- also- readnext read-next suggest popular trending latest recent you-may upsell ' +
    'crosssell cross-sell',
  share: 'share social facebook twitter pinterest whatsapp',
  comment: 'comment disqus respond',
  cookie: 'cookie consent gdpr privacy onetrust',
  advert: '<ad> <ads> advert sponsor promo banner dfp outbrain taboola',
  newsletter: 'newsletter subscri signup sign-up optin opt-in mailchimp cta call-to',
  modal: 'modal popup overlay dialog lightbox drawer offcanvas off-canvas toast',
  login: 'login log-in signin register account cart basket checkout wishlist',
  search: 'search filter facet sort refine',
  pages: 'pagina pager <page> <pages> loadmore load-more',
  tags: '<tag> <tags> label badge chip categor topic',
  meta: 'meta byline author date posted published timestamp avatar profile bio',
  hidden: 'hidden visually sr-only screen-reader hide collapse invisible d-none',
  content: 'content article post> post- entry story body text copy prose rich markdown wysiwyg rte',
  main: '<main> primary central center middle',
  product: 'product <pdp sku item- detail',
  summary: 'desc summary intro overview about lead excerpt abstract',
  price: 'price cost amount currency',
  review: 'review rating stars testimonial quote',
  spec: 'spec attribut feature param tech',
  forum: 'forum thread topic message reply replies discussion question answer <post_ postbody bbcode signature',
  card: 'card tile teaser grid list item row col> col- product-item result',
  contents: '<toc> table-of contents on-this-page outline anchor',
  faq: 'faq accordion tab> tabs panel toggle',
  hero: 'hero jumbotron headline title heading',
  code: 'code highlight snippet prettyprint',
  widget: 'widget module block plugin',
  copyright: 'copyright legal disclaimer terms imprint',
  form: 'form input field contact',
  image: 'caption gallery image media photo slider carousel swiper',
} as const;

export const CLASS_WORDS = Object.keys(WORDS);
const FINDER = wordFinder(Object.values(WORDS).map((words) => words.split(' ')));
const MAX_LABEL_CHARS = 40;
const MAX_CHARS = 400;
const NONE: readonly number[] = [];

/** Positions in `CLASS_WORDS` that an element's names match. Equal names are read once. */
export function classWordTest(): (element: PageElement) => readonly number[] {
  const byNames = new Map<string, readonly number[]>();
  return (element) => {
    const names = namesOf(element);
    if (names === '') return NONE;
    let found = byNames.get(names);
    if (found === undefined) {
      found = findWords(FINDER, names);
      byNames.set(names, found);
    }
    return found;
  };
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
