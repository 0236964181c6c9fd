import { describe, expect, test } from 'vitest';
import type { LinkText } from '../../src/core/link-texts.ts';
import type { RecordedVisit } from '../../src/storage/engine/visits.ts';
import { CRAWLER, facts, link, openFrontier, pageDocument, removal, urlOf, visited } from '../helpers/frontier.ts';

const NOW = 2_000;
const DUE = { crawlerId: CRAWLER, changedBefore: NOW, limit: 1_000 };

/** A crawler whose pages link to each other; what `read` says of a page takes the place of its last reading. */
async function openSite(paths: readonly string[]) {
  const frontier = await openFrontier();
  const { store } = frontier;
  await frontier.add(paths);
  const lane = await frontier.lane();
  const rows = new Map((await frontier.take(lane, paths.length)).map((row) => [new URL(row.url).pathname, row]));
  const rowOf = async (path: string) => {
    const known = rows.get(path);
    rows.delete(path);
    if (known !== undefined) return known;
    await frontier.add([path], { enqueue: 'always' }, NOW);
    const [row] = await frontier.take(lane, 1, NOW);
    if (row === undefined) throw new Error(`${path} is not due`);
    return row;
  };
  const visit = async (path: string, more: Partial<RecordedVisit>) =>
    frontier.record(lane, [visited(await rowOf(path), more)], NOW);
  return {
    store,
    visit,
    /** `links` as `[path, text]`. */
    read: (path: string, links: readonly (readonly [string, string])[] = [], title = `Title of ${path}`) => {
      const targets = [...new Set(links.map(([target]) => target))];
      return visit(path, {
        document: { put: pageDocument(urlOf(path), title) },
        links: {
          known: [],
          fresh: targets.map((target) => link(target)),
          names: links.map(([target, text]) => ({ link: targets.indexOf(target), text })),
          pageLimit: 10_000,
        },
      });
    },
    apply: (of: Partial<typeof DUE> = {}) => store.applyLinkTexts({ ...DUE, ...of }),
    /** What the index reads of a page. */
    textsOf: async (path: string): Promise<readonly LinkText[]> => {
      const changes = await store.changesAfter(0, { rows: 10_000, bytes: 1e9 });
      return changes.find(({ id }) => id === urlOf(path))?.linkTexts ?? [];
    },
    [Symbol.asyncDispose]: () => frontier[Symbol.asyncDispose](),
  };
}

const numbered = (count: number, prefix = '/p') => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe('1: texts are counted with the visit that read them', () => {
  test('once for each page that has them, whatever their case', async () => {
    await using site = await openSite(['/a', '/b', '/c', '/t']);
    await site.read('/t');
    await site.read('/a', [['/t', 'lumo_open']]);
    await site.read('/b', [
      ['/t', 'Lumo_Open'],
      ['/t', 'opening'],
    ]);

    await site.apply();

    expect(await site.textsOf('/t')).toEqual([
      { text: 'lumo_open', pages: 2 },
      { text: 'opening', pages: 1 },
    ]);
  });

  test('what a page no longer says is taken back, also when it links to nothing any more', async () => {
    await using site = await openSite(['/a', '/b', '/t']);
    await site.read('/t');
    await site.read('/a', [['/t', 'old name']]);
    await site.read('/b', [['/t', 'other name']]);
    await site.read('/a', [['/t', 'new name']]);
    await site.read('/b');
    await site.read('/b');

    await site.apply();

    expect(await site.textsOf('/t')).toEqual([{ text: 'new name', pages: 1 }]);
  });

  test('a page that leaves takes back all, once', async () => {
    await using site = await openSite(['/a', '/b', '/t']);
    await site.read('/t');
    await site.read('/a', [['/t', 'a name']]);
    await site.read('/b', [['/t', 'a name']]);
    const gone = { document: removal(urlOf('/a')), record: facts({ state: 'gone' }) };
    await site.visit('/a', gone);
    await site.visit('/a', gone);

    await site.apply();

    expect(await site.textsOf('/t')).toEqual([{ text: 'a name', pages: 1 }]);
  });

  test('a URL keeps 200 different ones, and what is dropped is taken back without a fault', async () => {
    await using site = await openSite(['/a', '/b', '/t']);
    await site.read('/t');
    await site.read(
      '/a',
      numbered(300, 'name ').map((text) => ['/t', text]),
    );
    await site.read('/b', [['/t', 'name 299']]);
    await site.apply();
    expect(await site.textsOf('/t')).toHaveLength(16);

    await site.read('/a', [['/t', 'name 250']]);
    await site.apply();

    expect(await site.textsOf('/t')).toEqual([
      { text: 'name 250', pages: 1 },
      { text: 'name 299', pages: 1 },
    ]);
  });
});

test('1: texts that were dropped are taken back from no other URL', async () => {
  await using site = await openSite(['/a', '/b', '/t', '/u']);
  await site.read('/t');
  await site.read('/u');
  await site.read(
    '/a',
    numbered(300, 'name ').map((text) => ['/t', text]),
  );
  await site.apply();
  await site.read('/b', [
    ['/u', 'lumo_open'],
    ['/u', 'opening'],
  ]);

  await site.read('/a');
  await site.apply();

  expect((await site.textsOf('/u')).map(({ text }) => text)).toEqual(['lumo_open', 'opening']);
});

test('1: a text that one of six URLs drops leads to five, which are told', async () => {
  const five = ['/u1', '/u2', '/u3', '/u4', '/u5'];
  await using site = await openSite(['/a', '/b', '/c', '/t', ...five]);
  for (const path of ['/t', ...five]) await site.read(path);
  await site.read(
    '/c',
    ['/t', ...five].map((path) => [path, 'shared name']),
  );
  await site.apply();
  expect(await site.textsOf('/u1')).toEqual([]);

  for (const page of ['/a', '/b']) {
    await site.read(
      page,
      numbered(200, 'name ').map((text) => ['/t', text]),
    );
  }
  await site.apply();
  await site.apply();

  for (const path of five) expect(await site.textsOf(path)).toEqual([{ text: 'shared name', pages: 1 }]);
});

describe('2: documents learn what has changed', () => {
  test('by a new seq and nothing else; the same texts are no change', async () => {
    await using site = await openSite(['/a', '/b', '/t']);
    const { store } = site;
    await site.read('/t');
    await site.read('/a', [['/t', 'a name']]);
    const before = await store.findDocument(CRAWLER, urlOf('/t'));

    expect(await site.apply()).toBe(1);
    const after = await store.findDocument(CRAWLER, urlOf('/t'));
    expect(after).toEqual({ ...before, seq: (before?.seq ?? 0) + 2, writeSeq: (before?.seq ?? 0) + 2 });

    const seq = await store.lastSeq();
    await site.read('/a', [['/t', 'a name']]);
    expect(await site.apply()).toBe(0);
    await site.read('/a', [['/t', 'another name']]);
    await site.read('/a', [['/t', 'a name']]);
    expect(await site.apply()).toBe(1);
    expect(await store.lastSeq()).toBe(seq);
  });

  test('pages between the steps of the count are no change', async () => {
    const pages = numbered(9);
    await using site = await openSite([...pages, '/t']);
    await site.read('/t');
    const changed: number[] = [];
    for (const page of pages) {
      await site.read(page, [['/t', 'a name']]);
      changed.push(await site.apply());
    }

    expect(changed).toEqual([1, 1, 0, 0, 0, 0, 0, 1, 0]);
    expect(await site.textsOf('/t')).toEqual([{ text: 'a name', pages: 8 }]);
  });

  test('only those that changed before the given time, and up to the limit', async () => {
    await using site = await openSite(['/a', '/t', '/u']);
    await site.read('/t');
    await site.read('/u');
    await site.read('/a', [
      ['/t', 'a name'],
      ['/u', 'other name'],
    ]);

    expect(await site.apply({ changedBefore: NOW - 1 })).toBe(0);
    expect(await site.apply({ limit: 1 })).toBe(1);
    expect(await site.apply()).toBe(1);
    expect(await site.apply()).toBe(0);
    expect([await site.textsOf('/t'), await site.textsOf('/u')].map((texts) => texts.length)).toEqual([1, 1]);
  });

  test('a page that is read after the links to it has their texts, and keeps them over a new content', async () => {
    await using site = await openSite(['/a', '/t']);
    await site.read('/a', [['/t', 'a name']]);
    await site.apply();
    await site.read('/t');
    await site.apply();
    expect(await site.textsOf('/t')).toEqual([{ text: 'a name', pages: 1 }]);

    await site.read('/t', [], 'Another title');

    expect(await site.textsOf('/t')).toEqual([{ text: 'a name', pages: 1 }]);
  });

  test('of a damaged document nothing is told, and another crawler sees nothing', async () => {
    await using site = await openSite(['/a', '/t']);
    await site.read('/t');
    await site.read('/a', [['/t', 'a name']]);
    await site.store.putDocuments(99, [pageDocument(urlOf('/t'))], NOW);

    expect(await site.apply({ crawlerId: 99 })).toBe(0);
    await site.apply();

    const changes = await site.store.changesAfter(0, { rows: 100, bytes: 1e9 });
    expect(changes.filter(({ linkTexts }) => linkTexts !== undefined).map(({ crawlerId }) => crawlerId)).toEqual([
      CRAWLER,
    ]);
  });
});

test('3: texts of a URL that redirects are those of the page behind it', async () => {
  await using site = await openSite(['/a', '/b', '/old', '/t']);
  await site.read('/a', [['/old', 'a name']]);
  await site.read('/b', [['/t', 'other name']]);
  await site.read('/t');
  await site.apply();
  expect(await site.textsOf('/t')).toEqual([{ text: 'other name', pages: 1 }]);

  await site.visit('/old', { record: facts({ state: 'alias', reason: 'redirect' }), target: link('/t') });
  await site.apply();

  expect(await site.textsOf('/t')).toEqual([
    { text: 'a name', pages: 1 },
    { text: 'other name', pages: 1 },
  ]);
});

describe('4: what says nothing of one page is not told', () => {
  test('a text that leads to six URLs, until it leads to five again', async () => {
    const targets = numbered(6, '/t');
    await using site = await openSite(['/a', '/b', ...targets]);
    for (const target of targets) await site.read(target);
    const more = (count: number) => targets.slice(0, count).map((target) => [target, 'Read more'] as const);
    const told = async () => {
      await site.apply();
      return Promise.all(targets.map(async (target) => (await site.textsOf(target)).length));
    };

    await site.read('/a', more(5));
    expect(await told()).toEqual([1, 1, 1, 1, 1, 0]);
    await site.read('/b', [['/t5', 'Read more']]);
    expect(await told()).toEqual([0, 0, 0, 0, 0, 0]);
    await site.read('/b', []);
    expect(await told()).toEqual([1, 1, 1, 1, 1, 0]);
  });

  test('the title of the document itself', async () => {
    await using site = await openSite(['/a', '/t']);
    await site.read('/t', [], 'Opening and closing');
    await site.read('/a', [
      ['/t', 'opening and closing'],
      ['/t', 'lumo_open'],
    ]);

    await site.apply();

    expect(await site.textsOf('/t')).toEqual([{ text: 'lumo_open', pages: 1 }]);
  });

  test('more than sixteen: the most frequent are', async () => {
    const pages = numbered(20);
    await using site = await openSite([...pages, '/t']);
    await site.read('/t');
    for (const [at, page] of pages.entries()) {
      const said = pages
        .slice(0, at + 1)
        .map((_, number) => ['/t', `name ${String(number).padStart(2, '0')}`] as const);
      await site.read(page, said);
    }

    await site.apply();

    const told = await site.textsOf('/t');
    expect(told.map(({ text }) => text)).toEqual(
      Array.from({ length: 16 }, (_, number) => `name ${String(number).padStart(2, '0')}`),
    );
  });
});
