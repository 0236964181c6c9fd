import { parseArgs } from 'node:util';
import { firstValue } from '../../src/core/document.ts';
import { extractPage } from './corpus-pages.ts';
import { FACTS, type Fact } from './products/product-data.ts';
import { type ProductPage, productPages } from './products/product-pages.ts';

const HELP = `usage: node scripts/evaluate/products.ts [--misses] [--theme name]

Reads the pages of 70 invented shops, with their scripts, and prints for each field how often it is exactly what the
page states, and how often it is given where the page states none. The shops are halved: of the unseen half only totals
are printed. --misses lists what is wrong on the other half.
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    theme: { type: 'string' },
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
else await printTables();

async function printTables(): Promise<void> {
  const pages = productPages().filter(({ theme }) => values.theme === undefined || theme === values.theme);
  const judged: Judgement[] = [];
  for (const page of pages) judged.push(...(await judge(page)));
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

async function judge(page: ProductPage): Promise<readonly Judgement[]> {
  const { fields } = await extractPage(page.url, Buffer.from(page.html));
  const wantedOf = (field: JudgedField) => (field === 'Title' ? page.title : (page.facts.get(field as Fact) ?? ''));
  return JUDGED.filter((field) => field !== 'Image' || page.facts.has('Image')).flatMap((field) => {
    const [wanted, found] = [wantedOf(field), firstValue(fields, field)];
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
