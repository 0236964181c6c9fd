import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type AnswerDocument, readAnswerDocuments } from '../answers/sets.ts';
import { type CorpusPage, pagesBelow, readAnswerDocument } from '../corpus-pages.ts';
import { WCXB_RECORD } from '../extraction/page-records.ts';
import { bytesOf, foldOf, readPack } from '../extraction/read-pack.ts';
import { GRADED_SITES, type GradedSite } from './graded-sites.ts';

const HELP = `usage: node scripts/evaluate/graded-answers/make-sites.ts --packs <folder> --packages <folder> --to <folder> [--pages <folder>] [site]…

Writes <to>/<site>.documents.jsonl of the sites whose answers are graded, with the text and structure that the product
reads from their pages: from data packs, and from Debian packages unpacked as <packages>/<package> (apt-get download,
dpkg-deb -x). Pages of both belong to others and are no part of the project. Other versions of the packages give other
texts: the questions were written for debian-reference-en 2.100, sqlite3-doc 3.40.1, gimp-help-en 2.10.34 and nodejs-doc
18.20.4. With --pages also their HTML as <pages>/<site>/<id>.html, for a server that a running installation crawls.
`;

const { values, positionals } = parseArgs({
  options: {
    help: { type: 'boolean' },
    packs: { type: 'string' },
    packages: { type: 'string' },
    to: { type: 'string' },
    pages: { type: 'string' },
  },
  allowPositionals: true,
});
const { packs, packages, to } = values;
if (values.help || packs === undefined || packages === undefined || to === undefined) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
} else {
  mkdirSync(to, { recursive: true });
  const wanted = GRADED_SITES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  for (const site of wanted) {
    const documents = await documentsOf(site, { packs, packages });
    const lines = documents.map((document) => `${JSON.stringify(document)}\n`);
    writeFileSync(join(to, `${site.name}.documents.jsonl`), lines.join(''));
    console.log(`${site.name}: ${documents.length} documents`);
  }
}

type Folders = { readonly packs: string; readonly packages: string };

async function documentsOf(site: GradedSite, folders: Folders): Promise<readonly AnswerDocument[]> {
  const { source } = site;
  if (source.from === 'sample-site') return readAnswerDocuments('garden');
  const documents: AnswerDocument[] = [];
  for (const page of pagesOf(site, folders)) {
    const document = await readAnswerDocument(page);
    if (document?.language !== 'en') continue;
    documents.push(document);
    if (values.pages !== undefined) writePage(join(values.pages, site.name, `${page.id}.html`), page);
  }
  return documents;
}

function writePage(file: string, { body }: CorpusPage): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, body);
}

function* pagesOf({ name, source }: GradedSite, { packs, packages }: Folders): Generator<CorpusPage> {
  if (source.from === 'package') {
    const pages = pagesBelow(join(packages, source.package, source.folder));
    for (const path of [...pages.keys()].sort()) {
      const id = path.slice(0, -'.html'.length);
      const body = pages.get(path);
      if (body !== undefined && source.keeps.test(id)) yield { id, url: `https://${name}.example/${path}`, body };
    }
  } else if (source.from === 'packs') {
    for (const record of readPack(packs, 'wcxb-dev', WCXB_RECORD)) {
      const isWanted = record.truth._internal.page_type.primary === source.kind && foldOf(record) === source.half;
      if (isWanted && record.url !== '') yield { id: record.id, url: record.url, body: bytesOf(record) };
    }
  }
}
