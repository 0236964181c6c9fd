import { parseArgs } from 'node:util';
import { firstValue } from '../../src/core/document.ts';
import { extractPage } from './corpus-pages.ts';
import { FACTS, type Fact } from './products/product-data.ts';
import { type ProductPage, productPages } from './products/product-pages.ts';
import { servedPages, serveShops } from './products/served-shops.ts';
import { foundDocuments, openRunningEngine } from './running-engine.ts';

const HELP = `usage: node scripts/evaluate/products.ts [--misses] [--theme name]
       node scripts/evaluate/products.ts --serve 9200
       node scripts/evaluate/products.ts [--misses] --url http://127.0.0.1:8080 --engine 2 --served 9200

Reads the pages of 70 invented shops, with their scripts, and prints for each field how often it is exactly what the
page states, and how often it is given where the page states none. The shops are halved: of the unseen half only totals
are printed. --misses lists what is wrong on the other half.

--serve serves the shops on this machine, each at an address of its own, and prints the seeds of a crawler. With --url
the fields are those that a running installation stored: of an engine of customer 1 that has crawled the shops as they
are served at this port.
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    theme: { type: 'string' },
    serve: { type: 'string' },
    url: { type: 'string' },
    engine: { type: 'string', default: '1' },
    served: { type: 'string', default: '9200' },
  },
});

const JUDGED = ['Title', ...FACTS] as const;
type JudgedField = (typeof JUDGED)[number];

type Judgement = {
  readonly page: ProductPage;
  readonly field: JudgedField;
  readonly wanted: string;
  readonly found: string;
  readonly verdict: 'right' | 'wrong' | 'missing' | 'invented';
};

const NUMBERS: ReadonlySet<string> = new Set(['Price_number', 'Rating_number', 'Rating_count_number']);

if (values.help) console.log(HELP);
else if (values.serve !== undefined) console.log(JSON.stringify(await serveShops(Number(values.serve))));
else await printTables();

async function printTables(): Promise<void> {
  const all = values.url === undefined ? productPages() : servedPages(Number(values.served));
  const pages = all.filter(({ theme }) => values.theme === undefined || theme === values.theme);
  const read = values.url === undefined ? readValues : await storedValues(values.url, values.engine);
  const judged: Judgement[] = [];
  for (const page of pages) judged.push(...judge(page, await read(page)));
  const shops = new Set(pages.map(({ url }) => new URL(url).host)).size;
  console.log(`${pages.length} pages of ${shops} shops`);
  for (const half of ['tuning', 'unseen'] as const) {
    const own = judged.filter(({ page }) => page.isUnseen === (half === 'unseen'));
    console.log(`\n${half.padEnd(22)} stated  right  wrong missing invented  share`);
    for (const field of JUDGED)
      if (half === 'tuning')
        printRow(
          field,
          own.filter((one) => one.field === field),
        );
    printRow('all', own);
    console.log(`off by ten or more: ${own.filter(isFarOff).length}`);
  }
  if (!values.misses) return;
  for (const { page, field, wanted, found, verdict } of judged)
    if (verdict !== 'right' && !page.isUnseen)
      console.log(`${page.theme} ${page.url} ${field} ${verdict}: ${found} for ${wanted}`);
}

/** First values of the fields of a page; `''` = it has none. */
type PageValue = (field: JudgedField) => string;
type ReadValues = (page: ProductPage) => Promise<PageValue>;

async function readValues({ url, html }: ProductPage): Promise<PageValue> {
  const { fields } = await extractPage(url, Buffer.from(html));
  return (field) => firstValue(fields, field);
}

/** @throws Error on a page that the engine does not hold */
async function storedValues(url: string, engine: string): Promise<ReadValues> {
  const documents = await foundDocuments(openRunningEngine(url, engine), JUDGED);
  const byUrl = new Map(documents.map(({ Id, Fields }) => [Id, Fields]));
  return async (page) => {
    const fields = byUrl.get(page.url);
    if (fields === undefined) throw new Error(`${page.url} is not in engine ${engine}`);
    return (field) => fields[field]?.Value ?? '';
  };
}

function judge(page: ProductPage, valueIn: PageValue): readonly Judgement[] {
  const wantedOf = (field: JudgedField) => (field === 'Title' ? page.title : (page.facts.get(field as Fact) ?? ''));
  return JUDGED.filter((field) => field !== 'Image' || page.facts.has('Image')).flatMap((field) => {
    const [wanted, found] = [wantedOf(field), valueIn(field)];
    if (wanted === '' && found === '') return [];
    return [{ page, field, wanted, found, verdict: verdictOn(field, wanted, found) }];
  });
}

function verdictOn(field: JudgedField, wanted: string, found: string): Judgement['verdict'] {
  if (wanted === '') return 'invented';
  if (found === '') return 'missing';
  const isRight = NUMBERS.has(field) ? Number(found) === Number(wanted) : found === wanted;
  return isRight ? 'right' : 'wrong';
}

function isFarOff({ field, wanted, found, verdict }: Judgement): boolean {
  if (verdict !== 'wrong' || !NUMBERS.has(field)) return false;
  const ratio = Number(found) / Number(wanted);
  return ratio >= 10 || ratio <= 0.1;
}

function printRow(name: string, judged: readonly Judgement[]): void {
  const count = (verdict: Judgement['verdict']) => judged.filter((one) => one.verdict === verdict).length;
  const [right, wrong, missing, invented] = [count('right'), count('wrong'), count('missing'), count('invented')];
  const stated = right + wrong + missing;
  const figures = [stated, right, wrong, missing, invented].map((figure) => String(figure).padStart(6)).join(' ');
  console.log(`${name.padEnd(22)} ${figures}   ${(right / Math.max(1, stated + invented)).toFixed(3)}`);
}
