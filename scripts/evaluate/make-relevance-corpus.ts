import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Fields, firstValue } from '../../src/core/document.ts';
import { buildSite } from '../sample-site/site.ts';
import { extractPage, type Pages, pagesBelow } from './corpus-pages.ts';
import { type CorpusDocument, type CorpusName, documentsFile } from './relevance/corpus.ts';

const HELP = `usage: node scripts/evaluate/make-relevance-corpus.ts [postgresql] [python] [garden]

Writes test/golden/relevance/<name>.documents.jsonl from the Debian packages postgresql-doc-15 and python3.11-doc and
from web/sample-content, with the fields that the product reads from their pages, cut to keep the files small. Other
versions of the packages give other texts: look at the difference, then run npm run eval:relevance.
`;

/** The others are written by hand. */
const MADE_CORPORA = ['postgresql', 'python', 'garden'] as const satisfies readonly CorpusName[];
type MadeCorpus = (typeof MADE_CORPORA)[number];

/** C interfaces, catalogs, internals and lists are left out: the file holds what users of a database look up. */
const POSTGRESQL_LEFT_OUT =
  /^(infoschema|catalog|spi|ecpg|views?|protocol|libpq|release|bki|docguide|regress|source|nls|lo|custom|xfunc|pltcl|plperl|plpython|logicaldecoding|gin|gist|spgist|brin|btree|geqo|fdw|index-|storage|external|acronyms|biblio|bookindex|legalnotice|errcodes|features|unsupported|appendix|archive|datetime|xplang|xtypes|xoper|xindex|xaggr|xproc|planner-|multivariate|row-estimation|wal-internals|tablesample|tsm|tableam|generic|parser-stage|query|rule-system|executor|error|install|jit|backup-manifest|typeconv|sql-keywords|contrib-|index\.|replication-origins|bgworker|plhandler|sepgsql|pginspect|git|history|notation|resources|bug-reporting|preface|internals|overview|system-catalog|sourcerepo|dict-|xml2|seg\.|tcn|test-decoding|perm|default-roles|recovery-config|pgxlog|oldsnapshot|hash-|lo-)/;
const PYTHON_PAGES = /^(tutorial|library|howto|faq|reference|using|installing)\//;
/** Of a crawler's `robots.txt` (`scripts/sample-site`). */
const GARDEN_LEFT_OUT = /^staff\//;

type Source = {
  readonly pages: () => Pages;
  readonly keeps: (path: string) => boolean;
  readonly mostContentChars: number;
};

const SOURCES: Readonly<Record<MadeCorpus, Source>> = {
  postgresql: {
    pages: () => pagesBelow('/usr/share/doc/postgresql-doc-15/html/'),
    keeps: (path) => !POSTGRESQL_LEFT_OUT.test(path),
    mostContentChars: 700,
  },
  python: {
    pages: () => pagesBelow('/usr/share/doc/python3.11/html/'),
    keeps: (path) => PYTHON_PAGES.test(path),
    mostContentChars: 1_000,
  },
  garden: {
    pages: () => buildSite(fileURLToPath(new URL('../../web/sample-content', import.meta.url))),
    keeps: (path) => !GARDEN_LEFT_OUT.test(path),
    mostContentChars: 4_000,
  },
};
const MOST_HEADINGS_CHARS = 400;

const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true });
if (values.help) {
  console.log(HELP);
} else {
  for (const name of MADE_CORPORA) if (positionals.length === 0 || positionals.includes(name)) await makeCorpus(name);
}

async function makeCorpus(name: MadeCorpus): Promise<void> {
  const { pages, keeps, mostContentChars } = SOURCES[name];
  const paths = [...pages()].filter(([path]) => path.endsWith('.html') && keeps(path));
  const documents: CorpusDocument[] = [];
  for (const [path, body] of paths.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const document = await readPage(path, body, mostContentChars);
    if (document !== undefined) documents.push(document);
  }
  writeFileSync(documentsFile(name), documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
  console.log(`${name}: ${documents.length} documents`);
}

/** Undefined for a page without text. */
async function readPage(path: string, body: Uint8Array, mostContentChars: number): Promise<CorpusDocument | undefined> {
  const { status, fields, language } = await extractPage(`https://docs.example/${path}`, body);
  if (status !== 'ok') return undefined;
  return {
    id: path.slice(0, -'.html'.length),
    language: language?.code ?? 'en',
    fields: keptFields(fields, mostContentChars),
  };
}

function keptFields(fields: Fields, mostContentChars: number): CorpusDocument['fields'] {
  const kept = {
    Title: [firstValue(fields, 'Title')],
    Description: [firstValue(fields, 'Description')],
    Headings: firstChars(fields.get('Headings') ?? [], MOST_HEADINGS_CHARS),
    Content: [cutText(firstValue(fields, 'Content'), mostContentChars)],
  };
  return Object.fromEntries(Object.entries(kept).filter(([, values]) => values.some((value) => value !== '')));
}

/** The values that fit whole. */
function firstChars(values: readonly string[], mostChars: number): readonly string[] {
  let chars = 0;
  return values.filter((value) => {
    chars += value.length;
    return chars <= mostChars;
  });
}

/** The text up to the last space that fits. */
function cutText(text: string, mostChars: number): string {
  if (text.length <= mostChars) return text;
  const end = text.slice(0, mostChars + 1).search(/\s\S*$/);
  return text.slice(0, end === -1 ? mostChars : end);
}
