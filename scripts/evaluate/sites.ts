import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { firstValue } from '../../src/core/document.ts';
import { CONTENT_PROFILES, DEFAULT_PAGE_RULES } from '../../src/extract/extract-settings.ts';
import { DEFAULT_EXTRACT_SETTINGS } from '../../src/extract/extraction.ts';
import { type CrawledPage, crawlPages } from './crawled-pages.ts';
import { mean } from './ranking-measures.ts';
import { type KnownPage, type KnownSite, knownSites } from './sites/site-pages.ts';

const HELP = `usage: node scripts/evaluate/sites.ts [--misses] [--frame name] [--profile balanced]

Reads 24 invented sites as a crawl does: menus, crumbs, logos, dialogs, notes on cookies, recommendations, names of
sites as headings. Prints the share of the own texts that Content has (recall), of the texts of the frame that it has
(unwanted), of titles, categories and images that are right, and headings that half of the pages have. Of the unseen
half of the sites only the mean is printed.
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    frame: { type: 'string' },
    profile: { type: 'string', default: 'balanced' },
  },
});

type Figures = {
  readonly recall: number;
  readonly unwanted: number;
  readonly precision: number;
  readonly titles: number;
  readonly categories: number;
  readonly images: number;
  readonly commonHeadings: number;
};

if (values.help) console.log(HELP);
else await printTables();
// The thread that writes stores stays for the next.
process.exit(0);

async function printTables(): Promise<void> {
  console.log('site                      recall unwanted precision titles categories images common headings');
  const figures: { site: KnownSite; figures: Figures }[] = [];
  for (const site of knownSites().filter(({ frame }) => values.frame === undefined || frame === values.frame)) {
    const measured = await measure(site);
    figures.push({ site, figures: measured });
    if (!site.site.isUnseen) printRow(site.frame, measured);
  }
  for (const half of ['tuning', 'unseen'] as const) {
    const own = figures.filter(({ site }) => site.site.isUnseen === (half === 'unseen'));
    const meanOf = (name: keyof Figures) => mean(own.map(({ figures: { [name]: figure } }) => figure));
    printRow(half, {
      recall: meanOf('recall'),
      unwanted: meanOf('unwanted'),
      precision: meanOf('precision'),
      titles: meanOf('titles'),
      categories: meanOf('categories'),
      images: meanOf('images'),
      commonHeadings: meanOf('commonHeadings'),
    });
  }
}

async function measure({ frame, site, pages }: KnownSite): Promise<Figures> {
  const profile = CONTENT_PROFILES.find((name) => name === values.profile) ?? 'balanced';
  const inOrder = pages.toSorted((one, other) => digestOf(one.url).compare(digestOf(other.url)));
  const bodies = inOrder.map(({ url, html }) => ({ url, body: Buffer.from(html) }));
  const content = () => ({ ...DEFAULT_PAGE_RULES, profile });
  const crawled = await crawlPages(bodies, { ...DEFAULT_EXTRACT_SETTINGS, content });
  const judged = inOrder.map((page, at) => judge(page, crawled[at] as CrawledPage));
  if (values.misses && !site.isUnseen) printMisses(frame, judged);
  const share = (of: (page: Judged) => number) => mean(judged.map(of));
  const headings = Map.groupBy(
    crawled.flatMap(({ extraction }) => [...new Set(extraction.fields.get('Headings'))]),
    (text) => text,
  );
  const common = [...headings].filter(([, { length }]) => length * 2 >= pages.length).map(([text]) => text);
  if (values.misses && !site.isUnseen && common.length > 0)
    console.log(`${frame}: common headings ${common.join(' · ')}`);
  return {
    recall: share(({ page, missing }) => 1 - missing.length / page.own.length),
    unwanted: share(({ page, foreign }) => foreign.length / page.unwanted.length),
    precision: share(({ precision }) => precision),
    titles: share(({ page, title }) => Number(title === page.title)),
    categories: share(({ page, category }) => Number(category === (page.category ?? category))),
    images: share(({ page, image }) => Number(image === (page.image ?? ''))),
    commonHeadings: common.length,
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

type Judged = {
  readonly page: KnownPage;
  readonly missing: readonly string[];
  readonly foreign: readonly string[];
  /** Share of the words of Content that stand in own texts, the title and the headings of the page. */
  readonly precision: number;
  readonly title: string;
  readonly category: string;
  readonly image: string;
};

function judge(page: KnownPage, { extraction }: CrawledPage): Judged {
  const { fields } = extraction;
  const content = firstValue(fields, 'Content').replace(/\s+/g, ' ');
  const lines = firstValue(fields, 'Content')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const wordsIn = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  const isOwn = (line: string) => page.texts.some((text) => text.includes(line) || line.includes(text));
  return {
    page,
    missing: page.own.filter((text) => !content.includes(text)),
    foreign: page.unwanted.filter((text) => content.includes(text)),
    precision: lines.length === 0 ? 0 : wordsIn(lines.filter(isOwn)) / wordsIn(lines),
    title: firstValue(fields, 'Title'),
    category: (fields.get('Category') ?? []).join(' > '),
    image: firstValue(fields, 'Image'),
  };
}

function printMisses(frame: string, judged: readonly Judged[]): void {
  for (const { page, missing, foreign, title, category, image } of judged) {
    for (const text of foreign) console.log(`${frame} ${page.url} unwanted: ${text}`);
    for (const text of missing) console.log(`${frame} ${page.url} missing: ${text.slice(0, 100)}`);
    if (title !== page.title) console.log(`${frame} ${page.url} title: ${title} for ${page.title}`);
    if (page.category !== undefined && category !== page.category)
      console.log(`${frame} ${page.url} category: ${category} for ${page.category}`);
    if (image !== (page.image ?? '')) console.log(`${frame} ${page.url} image: ${image} for ${page.image}`);
  }
}

function printRow(name: string, figures: Figures): void {
  const { recall, unwanted, precision, titles, categories, images, commonHeadings } = figures;
  const shares = [recall, unwanted, precision, titles, categories, images].map((share) => share.toFixed(3).padStart(8));
  console.log(`${name.padEnd(22)} ${shares.join(' ')} ${commonHeadings.toFixed(1).padStart(8)}`);
}
