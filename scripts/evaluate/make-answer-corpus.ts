import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSite } from '../sample-site/site.ts';
import { type AnswerDocument, contentOf, DOCS_SETS, documentsFile } from './answers/sets.ts';
import { type Pages, pagesBelow, readAnswerDocument } from './corpus-pages.ts';

const HELP = `usage: node scripts/evaluate/make-answer-corpus.ts [--packages folder] [postgresql] [python] [apache] [garden]

Writes test/golden/answers/<name>.documents.jsonl from web/sample-content and from the Debian packages
postgresql-doc-15, python3.11-doc and apache2-doc, unpacked in the folder as scripts/real-sites.sh does, with the text
and structure that the product reads from their pages. Other versions of the packages give other texts: look at the
difference, because the questions were written for these.
`;

/** Text of longer pages ends before the section that would pass this, so that the files stay small. */
const MOST_CHARS = 10_000;
/** Of pages that hold many answers. */
const MOST_CHARS_OF_KEPT_WHOLE = 32_000;

type Source = {
  readonly pages: (packages: string) => Pages;
  /** Of the path without `.html`. */
  readonly keeps: RegExp;
  readonly keptWhole?: RegExp;
  /** Pages in others are left out. */
  readonly languages: readonly string[];
  /** What the address of a page begins with. */
  readonly site: string;
};

const SOURCES: Readonly<Record<(typeof DOCS_SETS)[number], Source>> = {
  postgresql: {
    pages: (packages) => pagesBelow(`${packages}/postgresql-doc-15/usr/share/doc/postgresql-doc-15/html/`),
    keeps:
      /^(tutorial-(?!start|sql$|advanced).*|app-(createdb|createuser|dropdb|initdb|pg-ctl|pgdump|pg-dumpall|pgrestore|pg-isready|vacuumdb|pgbasebackup|pgrewind)|auth-(cert|ident|ldap|password|peer|pg-hba-conf|trust|username-maps)|backup-.*|continuous-archiving|client-authentication-problems|collation|config-setting|connect-estab|creating-cluster|citext|datatype-(?!oid|pg-lsn|pseudo).*|ddl-.*|different-replication-solutions|disk-.*|dml-.*|domains|earthdistance|encryption-options|explicit-locking|functions-(conditional|enum|sequence|uuid|window|math|logical)|fuzzystrmatch|hot-standby|indexes-.*|kernel-resources|limits|logfile-maintenance|manage-ag-.*|monitoring-(locks|ps)|multibyte|mvcc-.*|non-durability|parallel-safety|passwordcheck|pgprewarm|pgtrgm|pgupgrade|populate|predefined-roles|preventing-server-spoofing|queries-.*|rangetypes|role-.*|routine-.*|runtime-config-(autovacuum|connection|file-locations|locks|resource|error-handling)|server-.*|sql-(analyze|begin|cluster|copy|createdatabase|createindex|creatematerializedview|createpolicy|createrole|createsequence|createview|createtableas|delete|explain|grant|insert|listen|lock|merge|notify|prepare|refreshmaterializedview|reindex|savepoint|truncate|update|vacuum)|ssh-tunnels|ssl-tcp|textsearch-(features|indexes|intro|limitations|tables)|transaction-iso|unaccent|upgrading|uuid-ossp|using-explain|wal-(async-commit|intro|reliability)|warm-standby.*)$/,
    languages: ['en'],
    site: 'https://postgresql.example/docs/15/',
  },
  python: {
    pages: (packages) => pagesBelow(`${packages}/python3.11-doc/usr/share/doc/python3.11/html/`),
    keeps:
      /^(tutorial\/(?!index).*|faq\/(?!index|installed).*|howto\/(argparse|curses|functional|ipaddress|logging|pyporting|regex|sockets|sorting|unicode|urllib2|annotations|enum)|installing\/index|using\/(cmdline|editors|mac|unix|windows)|library\/(abc|array|asyncio|asyncio-dev|asyncio-queue|asyncio-runner|asyncio-sync|asyncio-task|atexit|base64|bisect|calendar|cmd|collections|collections\.abc|colorsys|concurrent\.futures|configparser|contextlib|copy|csv|dataclasses|datetime|dbm|decimal|difflib|ensurepip|enum|faulthandler|filecmp|fileinput|fnmatch|fractions|functools|gc|getopt|getpass|glob|graphlib|gzip|hashlib|heapq|hmac|html|http\.server|idle|itertools|json|linecache|locale|logging|marshal|mimetypes|operator|os\.path|pathlib|pdb|pickle|pprint|profile|queue|random|re|sched|secrets|select|shelve|shlex|shutil|signal|site|smtplib|socketserver|sqlite3|statistics|string|struct|tempfile|textwrap|threading|time|timeit|tomllib|traceback|turtle|unittest|urllib\.parse|uuid|venv|warnings|wave|weakref|webbrowser|zipapp|zipfile|zlib|zoneinfo))$/,
    keptWhole: /^(faq|tutorial)\//,
    languages: ['en'],
    site: 'https://python.example/3.11/',
  },
  apache: {
    pages: (packages) => pagesBelow(`${packages}/apache2-doc/usr/share/doc/apache2-doc/manual/en/`),
    keeps:
      /^(?!index|developer|misc\/index|.*\/index$|mod\/(directive|quickreference|overrides|mod_example|mod_nw|mod_privileges|mod_isapi|mod_lua|mpm_netware|mpmt_os2|mod_slotmem|mod_lbmethod|module-dict|mod_dialup|mod_imagemap|mod_cern|mod_ident|mod_socache|mod_file_cache|mod_mime_magic|mod_proxy_ftp|mod_dbd|mod_authn_dbd|mod_authz_dbd|mod_dumpio|mod_ldap|mod_session_|mod_authnz_fcgi|mod_proxy_(scgi|uwsgi|express|fdpass|http2|html|ajp)|mod_xml2enc|mod_heart|mod_charset|mod_dav_lock)|platform\/(ebcdic|netware|win_compiling)|programs\/(other|fcgistarter|configure|apxs)|new_features_2_[02]|license|.*relevant_standards)/,
    keptWhole: /^(howto|ssl\/ssl_faq)/,
    languages: ['en'],
    site: 'https://httpd.example/docs/2.4/en/',
  },
  garden: {
    pages: () => buildSite(fileURLToPath(new URL('../../web/sample-content', import.meta.url))),
    /** Of a crawler's `robots.txt` (`scripts/sample-site`). */
    keeps: /^(?!staff\/)/,
    languages: ['en', 'de'],
    site: 'https://garden.example/',
  },
};

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean' }, packages: { type: 'string', default: '/tmp/fossick-real-sites' } },
  allowPositionals: true,
});
if (values.help) {
  console.log(HELP);
} else {
  for (const name of DOCS_SETS) if (positionals.length === 0 || positionals.includes(name)) await makeCorpus(name);
}

async function makeCorpus(name: (typeof DOCS_SETS)[number]): Promise<void> {
  const { pages, keeps, keptWhole, languages, site } = SOURCES[name];
  const paths = [...pages(values.packages)].flatMap(([path, body]) => {
    const id = path.slice(0, -'.html'.length);
    return path.endsWith('.html') && keeps.test(id) ? [{ id, url: site + path, body }] : [];
  });
  const documents: AnswerDocument[] = [];
  for (const page of paths.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const mostChars = keptWhole?.test(page.id) ? MOST_CHARS_OF_KEPT_WHOLE : MOST_CHARS;
    const document = await readAnswerDocument(page);
    if (document === undefined || !languages.includes(document.language)) continue;
    documents.push({ ...document, sections: firstSections(document.sections, mostChars) });
  }
  writeFileSync(documentsFile(name), documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
  console.log(`${name}: ${documents.length} documents`);
}

/** Whole sections; the first one always. */
function firstSections(sections: AnswerDocument['sections'], mostChars: number): AnswerDocument['sections'] {
  const end = sections.findIndex((_, index) => index > 0 && contentOf(sections.slice(0, index + 1)).length > mostChars);
  return end === -1 ? sections : sections.slice(0, end);
}
