import { startAdminApi } from './admin-api.ts';
import { facts, removal, visited } from './frontier.ts';

export const SITE = 'https://www.example.com';
const PAGES = [
  ['/', 'Example', 'Welcome to our house.'],
  ['/opening-hours/', 'When we are open', 'Opening hours of the house: nine to five.'],
  ['/prices', 'Prices', 'What a visit costs, and opening hours of the desk.'],
  ['/guides/solar-panels.html', 'Solar panels', 'How solar panels are fitted.'],
  ['/guides/solar-heating.html', 'Solar heating', 'How solar heating is fitted.'],
  ['/about/people', 'Our people', 'Who we are and our opening hours.'],
] as const;

/** The admin API with customer 3, engine 6 and crawler 17, whose pages of one site are indexed; `item-7` was pushed. */
export async function startToolSite() {
  const api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Example' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Site' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Pages', seeds: [`${SITE}/`] });
  const store = await api.deps.engineStores.of(6);
  const page = (id: string, fields: Readonly<Record<string, string>>) => ({
    id,
    kind: 'PageContent' as const,
    language: 'en',
    origin: 'pushed' as const,
    fields: new Map(Object.entries(fields).map(([name, value]) => [name, [value]])),
  });
  const documents = PAGES.map(([path, title, text]) =>
    page(`${SITE}${path}`, { Title: title, Url: `${SITE}${path}`, Content: text }),
  );
  const pushed = page('item-7', {
    Title: 'Batteries',
    Url: `${SITE}/battery?size=2`,
    Content: 'Batteries of all sizes.',
  });
  await store.putDocuments(17, [...documents, pushed], 1);
  const writer = api.deps.searchIndex.writer(6);
  let seq = 0;
  /** What was stored is found. */
  const index = async () => {
    const rows = await store.changesAfter(seq, { rows: 1_000, bytes: 1e7 });
    seq = rows.at(-1)?.seq ?? seq;
    writer.apply(rows);
    await writer.refresh();
  };
  await index();
  return {
    api,
    index,
    /** A visit finds that there is nothing at the path any more. */
    retire: async (path: string) => {
      await api.post('/crawlers/17/activate');
      const activation = (await api.deps.store.findCrawler(17))?.activation ?? 0;
      const [run] = await store.listRuns(17, 1);
      const of = { crawlerId: 17, activation, now: 1_000 };
      const url = `${SITE}${path}`;
      const added = { url, origin: 'link', depth: 1, priority: 2, flags: 2, enqueue: 'if-new' } as const;
      await store.startRun(run?.id ?? 0, 1_000);
      await store.addUrls({ ...of, runId: run?.id ?? 0, urls: [added] });
      const lane = await store.takeLane({ crawlerId: 17, stage: 'page', lane: 1, holder: 'test' });
      const host = await store.ensureHost(17, SITE);
      if (lane === undefined) throw new Error('The lane is busy');
      const hosts = [{ hostId: host.id, limit: 9 }];
      const rows = await store.takeDue({ ...of, lane, stage: 'page', maxPriority: 3, hosts });
      const visits = rows
        .filter((row) => row.url === url)
        .map((row) => visited(row, { record: facts({ state: 'gone' }), document: removal(row.url) }));
      await store.recordVisits({ ...of, lane, visits });
      await index();
    },
    remove: async (path: string) => {
      await store.deleteDocuments(17, [`${SITE}${path}`], 2);
      await index();
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

export type ToolSite = Awaited<ReturnType<typeof startToolSite>>;
