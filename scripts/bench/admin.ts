import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright';
import { chromiumPath } from '../../test/helpers/chromium-path.ts';
import { eventually } from '../../test/helpers/eventually.ts';
import { type RunningProduct, startProcesses } from '../../test/helpers/processes.ts';
import { cpuMs, memoryOf } from './process-costs.ts';
import { pushCorpus } from './push-corpus.ts';

const HELP = `usage: node scripts/bench/admin.ts [--documents 1000000] [--crawlers 100] [--searches 3000] [--rounds 5]

What the admin API costs on a large installation that it makes: engines of ten crawlers each with generated documents (the
first engine has two thirds of them) and visitors who searched and clicked. Every GET route of the description and what
pages ask for by POST, asked as the page asks it, with the processor time of the api and the time until the answer. Then every page of the admin web in
Chromium with an empty cache: until it is painted, and until nothing on it waits any more. Loopback only.
`;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    crawlers: { type: 'string', default: '100' },
    searches: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const KEY = 'bench-admin-key';
const TOKEN = 'bench-admin-operator-token';
const CRAWLERS_PER_ENGINE = 10;
const LARGEST_SHARE = 2 / 3;
/** What the issue of the admin pages allows a request. */
const MAX_CPU_MS = 300;
/** Of each page; the one of median time is shown. */
const PAGE_VISITS = 3;
const IDLE_MS = 3_000;
const IDLE_SHARE = 0.05;
const documents = Number(values.documents);
const crawlers = Number(values.crawlers);
const engines = Math.max(1, Math.ceil(crawlers / CRAWLERS_PER_ENGINE));

/** Addresses below `/admin`. */
const PAGES = [
  '',
  '/sites',
  '/sites/1',
  '/sites/1/pages',
  '/sites/1/runs',
  '/sites/1/settings',
  '/sites/1/engine',
  '/engines/1/preview?q={query}',
  '/engines/1/tools',
  '/engines/1/why?q={query}',
  '/engines/1/why?q={url}',
  '/engines/1/visitors',
  '/engines/1/documents',
  '/engines/1/documents?text={query}',
  '/engines/1/documents/77',
  '/engines/1/embed',
  '/system',
  '/system/queues',
  '/system/log',
  '/system/keys',
  '/system/people',
  '/system/audit',
];
const IS_COMPLETE = `document.querySelector('h1') !== null && document.querySelector('main [aria-busy=true]') === null`;
const FIRST_PAINT = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`;

const folder = await mkdtemp(join(tmpdir(), 'fossick-bench-admin-'));
try {
  const file = join(folder, 'provision.json');
  await writeFile(file, JSON.stringify(provision()));
  const environment = {
    CONFIG_FILE: file,
    OPERATOR_TOKEN: TOKEN,
    RATE_MANAGEMENT_PER_SECOND: '0',
    RATE_SEARCH_PER_SECOND: '0',
    RATE_TRACKING_PER_SECOND: '0',
  };
  await using product = await startProcesses({ dataDir: join(folder, 'data'), environment });
  const titles = await fill(product);
  await search(product, titles);
  await untilIdle(product);
  await measureRoutes(product, titles);
  await measurePages(product, titles);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

function provision() {
  return {
    version: 1,
    customers: [
      {
        id: 1,
        name: 'Bench',
        keys: [{ name: 'bench', value: KEY }],
        engines: Array.from({ length: engines }, (_, index) => ({
          id: index + 1,
          name: `Engine ${index + 1}`,
          language: 'en',
          page: { published: index === 0 },
        })),
        crawlers: Array.from({ length: crawlers }, (_, index) => ({
          id: index + 1,
          engine: Math.floor(index / CRAWLERS_PER_ENGINE) + 1,
          name: `Site ${index + 1}`,
          seeds: [`http://127.0.0.1:9/${index + 1}/`],
        })),
      },
    ],
  };
}

/** @returns titles of the first engine */
async function fill({ address }: RunningProduct): Promise<readonly string[]> {
  const first = engines === 1 ? documents : Math.round(documents * LARGEST_SHARE);
  const others = engines === 1 ? 0 : Math.round((documents - first) / (engines - 1));
  const startedAt = performance.now();
  let titles: readonly string[] = [];
  for (let engineId = 1; engineId <= engines; engineId++) {
    const crawlerId = (engineId - 1) * CRAWLERS_PER_ENGINE + 1;
    const part = { engineId, crawlerId, host: `site-${engineId}.example`, seed: engineId };
    const pushed = await pushCorpus(
      { address, customerId: 1, apiKey: KEY },
      { ...part, count: engineId === 1 ? first : others },
    );
    if (engineId === 1) titles = pushed;
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(
    `${documents} documents in ${engines} engines, ${crawlers} crawlers: pushed and searchable in ${seconds} s`,
  );
  return titles;
}

/** Visitors of the first engine: one in five queries finds nothing, every second search has a click. */
async function search({ address }: RunningProduct, titles: readonly string[]): Promise<void> {
  const authorization = `SiteKey ${Buffer.from('1:1:SearchKey').toString('base64')}`;
  const send = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const one = async (index: number) => {
    const title = titles[(index * 7) % Math.min(titles.length, 400)] ?? '';
    const query = index % 5 === 0 ? `unknownword${index % 50} zzqq` : title.slice(0, 60);
    const found = await send('/api/v4/1/1/search', { query });
    const event = { qid: found['QueryId'], sw: query, rc: String(found['TotalDocument']), dt: 'desktop' };
    await send('/api/v3/1/1/search/pushstat/querylog', event);
    if (index % 2 === 0) return;
    const click = { qid: found['QueryId'], sw: query, clurl: `https://site-1.example/${index % 500}`, cli: '2' };
    await send('/api/v3/1/1/search/pushstat/clicklog', { ...click, title, ls: 'searchresult' });
  };
  for (let index = 0; index < Number(values.searches); index++) await one(index);
}

/** Merges of what was pushed go on for a while, and there are two cores. */
async function untilIdle(product: RunningProduct): Promise<void> {
  const used = () => [...product.pids().values()].reduce((sum, pid) => sum + cpuMs(pid), 0);
  let before = used();
  const isIdle = async () => {
    await setTimeout(IDLE_MS);
    const spent = used() - before;
    before += spent;
    return spent < IDLE_MS * IDLE_SHARE;
  };
  await eventually(isIdle, 600_000);
}

type Route = { readonly path: string; readonly parameters: readonly string[] };

async function measureRoutes(product: RunningProduct, titles: readonly string[]): Promise<void> {
  const apiPid = product.pids().get('api') ?? 0;
  console.log(`memory of the api: ${memoryOf(apiPid).share.toFixed(0)} MB`);
  const url = 'https://site-1.example/77';
  const filters: Readonly<Record<string, readonly string[]>> = {
    '/admin/v1/engines/{engineId}/documents': [
      '',
      `text=${encodeURIComponent(titles[3] ?? '')}`,
      'title=a',
      `url=${encodeURIComponent(url)}`,
      'language=en',
    ],
    '/admin/v1/crawlers': ['', `text=${encodeURIComponent('Site 7')}`, 'state=problem', 'limit=25'],
  };
  const routes = await getRoutes();
  const rows: { address: string; status: number; cpu: number; wall: number; kilobytes: number }[] = [];
  for (const { path, parameters } of routes) {
    const needed = parameters.includes('url*') ? `url=${encodeURIComponent(url)}` : '';
    const near = parameters.includes('near*') ? `near=${encodeURIComponent(titles[9] ?? '')}` : needed;
    const asked = parameters.includes('query*') ? `query=${encodeURIComponent(titles[7] ?? '')}` : near;
    for (const query of filters[path] ?? [asked]) {
      const address = `${path.replaceAll(/\{[a-zA-Z]+\}/g, '1')}${query === '' ? '' : `?${query}`}`;
      rows.push(await measure(product.address, apiPid, address));
    }
  }
  const [query, searched] = [titles[7] ?? '', { query: titles[7] ?? '', page: 1, perPage: 10 }];
  const bodies: readonly (readonly [string, object])[] = [
    ['/engines/1/explain-query', { search: searched, url }],
    ['/engines/1/explain', { search: { query }, id: url }],
    ['/engines/1/preview', searched],
  ];
  for (const [path, body] of bodies) rows.push(await measure(product.address, apiPid, `/admin/v1${path}`, body));
  rows.sort((a, b) => b.cpu - a.cpu);
  console.log('CPU ms of the api  answer ms    KB  status  route');
  for (const { address, status, cpu, wall, kilobytes } of rows) {
    const figures = [cpu.toFixed(0).padStart(17), wall.toFixed(0).padStart(9), kilobytes.toFixed(0).padStart(5)];
    console.log(
      `${figures.join('  ')}  ${String(status).padStart(6)}  ${address}${cpu > MAX_CPU_MS ? '  <-- too much' : ''}`,
    );
  }
}

/** Means of the rounds; the first one, which may load something, counts. */
async function measure(address: string, apiPid: number, path: string, body?: object) {
  const rounds = Number(values.rounds);
  let status = 0;
  let bytes = 0;
  const before = cpuMs(apiPid);
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round++) {
    const response = await fetch(`${address}${path}`, {
      headers: { authorization: `Bearer ${TOKEN}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    bytes = (await response.arrayBuffer()).byteLength;
    status = response.status;
  }
  const wall = (performance.now() - startedAt) / rounds;
  return {
    address: body === undefined ? path : `POST ${path}`,
    status,
    cpu: (cpuMs(apiPid) - before) / rounds,
    wall,
    kilobytes: bytes / 1_000,
  };
}

async function getRoutes(): Promise<readonly Route[]> {
  const file = new URL('../../docs/openapi.json', import.meta.url);
  const { paths } = JSON.parse(await readFile(file, 'utf8')) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || !path.startsWith('/admin/v1/') || path.endsWith('/events')) return [];
    return [{ path, parameters: (get.parameters ?? []).map(({ name, required }) => `${name}${required ? '*' : ''}`) }];
  });
}

async function measurePages(product: RunningProduct, titles: readonly string[]): Promise<void> {
  const apiPid = product.pids().get('api') ?? 0;
  const cookie = await signIn(product.address);
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] });
  console.log('painted ms  complete ms  CPU ms of the api  requests  page');
  try {
    for (const pattern of PAGES) {
      const path = pattern
        .replace('{query}', encodeURIComponent(titles[7] ?? ''))
        .replace('{url}', encodeURIComponent('https://site-1.example/77'));
      const visits: PageVisit[] = [];
      for (let visit = 0; visit < PAGE_VISITS; visit++) {
        const before = cpuMs(apiPid);
        const seen = await visitPage(browser, cookie, `${product.address}/admin${path}`);
        visits.push({ ...seen, cpu: cpuMs(apiPid) - before });
      }
      const { painted, complete, cpu, requests } = visits.sort((a, b) => a.complete - b.complete)[1] as PageVisit;
      const figures = [painted.toFixed(0).padStart(10), complete.toFixed(0).padStart(11), cpu.toFixed(0).padStart(17)];
      console.log(`${figures.join('  ')}  ${String(requests).padStart(8)}  /admin${path}`);
    }
  } finally {
    await browser.close();
  }
}

type PageVisit = {
  readonly painted: number;
  readonly complete: number;
  readonly requests: number;
  readonly cpu: number;
};

async function visitPage(
  browser: Browser,
  cookie: { readonly name: string; readonly value: string },
  address: string,
): Promise<Omit<PageVisit, 'cpu'>> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
  await context.addCookies([{ ...cookie, url: new URL(address).origin }]);
  const page = await context.newPage();
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/admin/v1/')) requests++;
  });
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(IS_COMPLETE);
  const [complete, painted] = await page.evaluate<[number, number]>(`[performance.now(), ${FIRST_PAINT}]`);
  await context.close();
  return { painted, complete, requests };
}

/** An operator who is a person, made by the token. */
async function signIn(address: string): Promise<{ readonly name: string; readonly value: string }> {
  const send = async (path: string, body: object, headers: Readonly<Record<string, string>>) =>
    fetch(`${address}/admin/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const person = { email: 'operator@example.org', role: 'operator' };
  const made = await send('/people', person, { authorization: `Bearer ${TOKEN}` });
  const { link } = (await made.json()) as { readonly link: { readonly path: string } };
  const accepted = { token: link.path.split('#')[1], name: 'Operator', password: 'a-long-password-of-the-bench' };
  const answer = await send('/invitation/accept', accepted, { 'sec-fetch-site': 'same-origin' });
  const [name = '', value = ''] = (answer.headers.get('set-cookie') ?? '').split(';')[0]?.split('=') ?? [];
  if (value === '') throw new Error(`nobody is signed in: ${answer.status} ${await answer.text()}`);
  return { name, value };
}

type Operation = { readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[] };
