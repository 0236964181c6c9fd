import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const HELP = `usage: node scripts/evaluate/real-sites.ts [--url http://127.0.0.1:8080] [--data ./data]

Compares what Fossick has indexed of the sites of scripts/real-sites.sh with a plain walk over their links, and shows
the first hits of ten queries. Run it when both crawls have ended. Exit code 1 when a difference has no reason.
`;

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    data: { type: 'string', default: './data' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const KEY = 'real-sites-local-key';
const SITES = [
  {
    name: 'PostgreSQL 15',
    id: 1,
    seed: 'http://127.0.0.1:8091/index.html',
    queries: ['create index concurrently', 'jsonb operators', 'vacuum', 'pg_dump', 'window functions'],
  },
  {
    name: 'Python 3.11',
    id: 2,
    seed: 'http://127.0.0.1:8092/index.html',
    queries: ['asyncio event loop', 'list comprehension', 'json encoder', 'pathlib', 'unittest mock'],
  },
] as const;
const MOST_PAGES = 10_000;

const token = readFileSync(`${values.data}/operator-token`, 'utf8').trim();
let unexplained = 0;
for (const site of SITES) {
  const pages = await walk(site.seed);
  const documents = await documentIds(site.id);
  const missing = [...pages].filter((url) => !documents.has(url));
  const surplus = [...documents].filter((url) => !pages.has(url));
  console.log(`${site.name}: ${pages.size} pages, ${documents.size} documents`);
  for (const url of missing) unexplained += await explain(site.id, url, 'page without document');
  for (const url of surplus) unexplained += await explain(site.id, url, 'document without page');
  for (const query of site.queries)
    console.log(`  ${query.padEnd(28)} ${(await firstHits(site.id, query)).join(' · ')}`);
}
console.log(`unexplained differences: ${unexplained}`);
process.exit(unexplained === 0 ? 0 : 1);

/** Addresses of all HTML pages that links reach from the seed, by the simplest means: an oracle for the crawler. */
async function walk(seed: string): Promise<ReadonlySet<string>> {
  const { origin } = new URL(seed);
  const pages = new Set<string>();
  const seen = new Set([seed]);
  const waiting = [seed];
  for (let url = waiting.shift(); url !== undefined && pages.size < MOST_PAGES; url = waiting.shift()) {
    const response = await fetch(url, { redirect: 'follow' });
    const isPage = response.status === 200 && (response.headers.get('content-type') ?? '').startsWith('text/html');
    if (!isPage) {
      await response.body?.cancel();
      continue;
    }
    pages.add(response.url.split('#')[0] ?? '');
    for (const target of linksOf(await response.text(), response.url)) {
      if (!target.startsWith(`${origin}/`) || seen.has(target)) continue;
      seen.add(target);
      waiting.push(target);
    }
  }
  return pages;
}

function linksOf(html: string, base: string): readonly string[] {
  const links = html.matchAll(/<a\s[^>]*?href\s*=\s*["']([^"'#]+)/gi);
  return [...links].flatMap(([, href = '']) => {
    const url = URL.parse(href.replaceAll('&amp;', '&').trim(), base);
    return url === null ? [] : [url.href];
  });
}

async function documentIds(engineId: number): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let after = 0;
  for (;;) {
    const page = (await admin(`/engines/${engineId}/documents?limit=100&after=${after}`)) as {
      items: readonly { rid: number; id: string; type: string }[];
    };
    for (const { id, type } of page.items) if (type === 'PageContent') ids.add(id);
    const last = page.items.at(-1);
    if (last === undefined) return ids;
    after = last.rid;
  }
}

/** Shows why a page has no document; 1 when nothing says so. */
async function explain(crawlerId: number, url: string, what: string): Promise<number> {
  const page = (await admin(`/crawlers/${crawlerId}/visits?limit=5&url=${encodeURIComponent(url)}`)) as {
    items: readonly { outcome: string; reason: string }[];
  };
  const [visit] = page.items;
  console.log(`  ${what}: ${url} (${visit === undefined ? 'no visit' : `${visit.outcome}, ${visit.reason}`})`);
  return visit === undefined || visit.outcome === 'added' ? 1 : 0;
}

async function firstHits(engineId: number, query: string): Promise<readonly string[]> {
  const response = await fetch(`${values.url}/api/v4/1/${engineId}/search`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`1:${KEY}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, perPage: 3, operator: 'AND' }),
  });
  const body = (await response.json()) as { TypedDocuments: readonly { Fields: { Title: { Value: string } } }[] };
  return body.TypedDocuments.map(({ Fields }) => Fields.Title.Value);
}

async function admin(path: string): Promise<unknown> {
  const response = await fetch(`${values.url}/admin/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
