import { seededRandom } from './seeded-random.ts';

/**
 * Pages of a generated site: about 46 KB and 94 links each, with styles and scripts in the head, navigation, sections
 * of text, lists, tables and related links, as in the experiments behind the design of the crawler.
 */
export type PageMaker = {
  /** Path of a page: `/section-3/some-words-123.html`. */
  path(page: number): string;
  body(page: number): Buffer;
};

/** Page `n` is on host `n % origins.length`; every page is reachable from page 0. The same for a seed. */
export function createPageMaker(pages: number, seed: number, origins: readonly string[]): PageMaker {
  const words = vocabulary(seed);
  const random = seededRandom(seed);
  const slugs = Array.from(
    { length: SLUGS },
    () => `${pick(random, words)}-${pick(random, words)}-${pick(random, words)}`,
  );
  const path = (page: number) => `/section-${page % SECTIONS}/${slugs[page % SLUGS]}-${page}.html`;
  const site: Site = { pages, seed, origins, words, path, head: headOf(random, words) };
  return { path, body: (page) => Buffer.from(makePage(site, page)) };
}

/** Number of the page that a path names; NaN for other paths. */
export function pageOfPath(path: string): number {
  return Number(/-(\d+)\.html$/.exec(path)?.[1] ?? Number.NaN);
}

const WORDS = 12_000;
const SLUGS = 997;
const SECTIONS = 37;
const NAVIGATION_LINKS = 40;
const FOOTER_LINKS = 30;
const RELATED_LINKS = 18;
const SYLLABLES = (
  'ba be bi bo bu ca ce ci co da de di do fa fe fi ga ge go ha he hi ka ke ki la le li lo ma me mi mo na ne ni no pa ' +
  'pe po ra re ri ro sa se si so ta te ti to va ve vi wa we tion ment ing ed er ly al ist'
).split(' ');

type Random = () => number;
type Site = {
  readonly pages: number;
  readonly seed: number;
  readonly origins: readonly string[];
  readonly words: readonly string[];
  readonly path: (page: number) => string;
  /** Styles and scripts that all pages share. */
  readonly head: string;
};

function vocabulary(seed: number): readonly string[] {
  const random = seededRandom(seed);
  const words = new Set<string>();
  while (words.size < WORDS) {
    const syllables = 1 + Math.floor(random() * 4);
    words.add(times(syllables, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? '').join(''));
  }
  return [...words];
}

function makePage(site: Site, page: number): string {
  const { origins, words, pages } = site;
  const random = seededRandom(site.seed * 1_000_003 + page);
  const word = () => pick(random, words);
  const sentence = () => sentenceOf(random, words);
  const own = page % origins.length;
  const onHost = Math.ceil((pages - own) / origins.length);
  const ofHost = (index: number) => (index % onHost) * origins.length + own;
  const link = (target: number, name: string) => {
    const origin = target % origins.length === own ? '' : origins[target % origins.length];
    return `<a class="link" href="${origin}${site.path(target)}"><span>${name}</span></a>`;
  };
  const title = `${word()} ${word()} ${word()} ${page}`;
  const navigation = times(NAVIGATION_LINKS, (at) => `<li class="nav__item">${link(ofHost(at), `Topic ${at}`)}</li>`);
  const footer = times(FOOTER_LINKS, (at) => link(ofHost(NAVIGATION_LINKS + at), `Service ${at}`));
  const children = [2 * page + 1, 2 * page + 2].filter((child) => child < pages);
  const related = [...children, ...times(RELATED_LINKS, () => ofHost(Math.floor(random() * onHost)))];
  const items = related.map((target) => `<li>${link(target, `${word()} ${word()}`)}</li>`);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="description" content="${sentence()}"><link rel="canonical" href="${origins[own]}${site.path(page)}">
<meta property="og:title" content="${title}"><meta name="viewport" content="width=device-width">${site.head}</head>
<body class="page page--article"><header class="site-header" role="banner"><a class="logo" href="${site.path(own)}">Site</a>
<nav class="main-nav" aria-label="Main"><ul>${navigation.join('')}</ul></nav></header><main id="main"><article><h1>${title}</h1>
${times(6 + Math.floor(random() * 8), (at) => sectionOf(random, words, at)).join('\n')}
<aside class="related"><h3>Related</h3><ul>${items.join('')}</ul></aside></article></main>
<footer class="site-footer"><div class="cols">${footer.join('')}</div><p>&copy; 2026 Example</p></footer></body></html>`;
}

function sectionOf(random: Random, words: readonly string[], at: number): string {
  const word = () => pick(random, words);
  const sentence = () => sentenceOf(random, words);
  const paragraphs = times(2 + Math.floor(random() * 3), () => {
    const text = times(2 + Math.floor(random() * 5), sentence).join(' ');
    const rest = `${sentence()} <em>${word()} ${word()}</em> &amp; ${sentence()}`;
    return `<p class="text text--body">${text} <strong>${word()}</strong> ${rest}</p>`;
  });
  const list = times(random() < 0.4 ? 5 : 0, () => `<li class="list__item">${sentence()}</li>`);
  const rows = times(random() < 0.3 ? 8 : 0, (row) => `<tr><td>${word()}</td><td>${row}</td><td>${word()}</td></tr>`);
  return `<section class="block" id="s${at}"><h2 class="heading heading--l2"><span>${sentence()}</span></h2>${paragraphs.join('\n')}
<ul class="list">${list.join('')}</ul><table class="table">${rows.join('')}</table>
<figure class="figure"><img class="img" src="/img/${at}.png" alt="${word()}" width="640" height="360" loading="lazy"></figure></section>`;
}

function headOf(random: Random, words: readonly string[]): string {
  const name = () => pick(random, words);
  const styles = times(80, (at) => `.c${at}{margin:${at}px;padding:${at % 7}px;color:#${(at * 4_099).toString(16)}}`);
  const script = times(60, (at) => `w.cfg${at}={id:${at},name:"${name()}",v:[${at}],f:function(a){return a+${at}}};`);
  return `<style>${styles.join('')}</style><script>(function(w){${script.join('')}})(window);</script>`;
}

function sentenceOf(random: Random, words: readonly string[]): string {
  const text = times(6 + Math.floor(random() * 18), () => pick(random, words)).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Few words come often, as in real text. */
function pick(random: Random, words: readonly string[]): string {
  return words[Math.min(words.length - 1, Math.floor(Math.exp(random() * Math.log(words.length))))] ?? '';
}

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
