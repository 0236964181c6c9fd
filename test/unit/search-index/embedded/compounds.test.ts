import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import type { StoredDocument } from '../../../../src/core/document.ts';
import { openEmbeddedIndex } from '../../../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../../../src/search-index/embedded/writer.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { indexSourceOf } from '../../../helpers/index-source.ts';
import { planOf, word } from '../../../helpers/query-plans.ts';
import { storedDocument } from '../../../helpers/stored-documents.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const log = pino({ level: 'silent' });
const ENGINE = 6;
const COMPOUND = 'Vi monterer solpaneler på taget';

/** A Danish site; the compound is in its first document, its parts alone in later ones. */
function danishDocuments(from: number, count: number): StoredDocument[] {
  return Array.from({ length: count }, (_, i) => {
    const text = i === 0 ? COMPOUND : ['sol og sommer', 'et panel af glas', 'huse i byen'][i % 3];
    return storedDocument({ rid: from + i, language: 'da', fields: { Content: text ?? '' } });
  });
}

async function openEngine(changes: { idleMergeMs?: number; inlineMergeDocuments?: number } = {}) {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const rows = new Map<number, StoredDocument>();
  const options = { directory: folder.path, source: indexSourceOf(rows), language: 'da', clock: systemClock, log };
  const open = () => openEmbeddedWriter({ ...options, ...changes });
  const index = openEmbeddedIndex({ clock: systemClock, log, threads: 1, directoryOf: () => folder.path });
  stack.use(index);
  const search = (text: string) =>
    index.search(ENGINE, planOf({ match: word(text), limit: 0 }), AbortSignal.timeout(10_000));
  return {
    directory: folder.path,
    index,
    open,
    search,
    stack,
    rows,
    wordFiles: async () => (await readdir(folder.path)).filter((name) => name.startsWith('words-')),
    /** The file of the words in force. */
    presentWords: async () => {
      const [json = ''] = (await readFile(join(folder.path, 'MANIFEST'), 'utf8')).split('\n');
      return `words-${JSON.parse(json).words?.number}.bin`;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

type Engine = Awaited<ReturnType<typeof openEngine>>;

async function write({ rows, index }: Engine, writer: Awaited<ReturnType<Engine['open']>>, changes: StoredDocument[]) {
  for (const change of changes) rows.set(change.rid, change);
  writer.apply(changes);
  await writer.refresh();
  await index.waitVisible(ENGINE, writer.appliedSeq, AbortSignal.timeout(10_000));
}

test('words of a site split its compounds at once, those of documents that came before them, too', async () => {
  await using engine = await openEngine();
  await using writer = await engine.open();
  const total = async () => (await engine.search('honning')).total;
  const page = (rid: number, text: string) => storedDocument({ rid, language: 'da', fields: { Content: text } });

  await write(engine, writer, [page(1, 'Vi sælger lavendelhonning')]);
  expect(await total()).toBe(0);
  const parts = Array.from({ length: 8 }, (_, i) => page(2 + i, i % 2 === 0 ? 'lavendel i haven' : 'honning til alle'));
  await write(engine, writer, [...parts, page(10, 'Mere lavendelhonning')]);

  await eventually(async () => ((await total()) === 6 ? true : undefined));
});

test('a large engine learns on a thread', async () => {
  await using engine = await openEngine({ inlineMergeDocuments: 0, idleMergeMs: 200 });
  await using writer = await engine.open();
  await write(engine, writer, danishDocuments(1, 70));

  await eventually(async () => {
    const manifest = await readFile(join(engine.directory, 'MANIFEST'), 'utf8');
    return manifest.includes('"words":null') ? undefined : true;
  });
  const before = (await engine.search('panel')).total;
  await write(engine, writer, danishDocuments(71, 1));

  expect((await engine.search('panel')).total).toBeGreaterThan(before);
});

test('words survive a restart; damaged ones are learned again', async () => {
  await using engine = await openEngine();
  await using first = await engine.open();
  await write(engine, first, danishDocuments(1, 70));
  const name = await engine.presentWords();
  await first[Symbol.asyncDispose]();

  await using second = await engine.open();
  expect(await engine.presentWords()).toBe(name);
  await second[Symbol.asyncDispose]();
  const bytes = await readFile(join(engine.directory, name));
  bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
  await writeFile(join(engine.directory, name), bytes);

  await using third = await engine.open();
  await write(engine, third, danishDocuments(100, 1));
  const after = await engine.presentWords();
  expect(after).not.toBe(name);
  expect(await engine.wordFiles()).toContain(after);
});

test('an engine without a language that writes words together learns nothing', async () => {
  await using engine = await openEngine();
  await using writer = await openEmbeddedWriter({
    directory: join(engine.directory, 'english'),
    source: indexSourceOf(engine.rows),
    language: 'en',
    clock: systemClock,
    log,
  });
  writer.apply(danishDocuments(1, 70).map((document) => ({ ...document, language: 'en' })));
  await writer.refresh();

  expect((await readdir(join(engine.directory, 'english'))).filter((name) => name.startsWith('words-'))).toEqual([]);
});

test('a query word that is a compound finds its parts standing near each other', async () => {
  await using engine = await openEngine();
  await using writer = await engine.open();
  await write(engine, writer, danishDocuments(1, 70));
  await write(engine, writer, [
    storedDocument({ rid: 200, language: 'da', fields: { Content: 'et panel der lever af sol' } }),
    storedDocument({ rid: 201, language: 'da', fields: { Content: `panel ${'ord '.repeat(20)} sol` } }),
  ]);
  const { hits } = await engine.index.search(
    ENGINE,
    planOf({ match: word('solpanel'), limit: 500 }),
    AbortSignal.timeout(10_000),
  );
  const ids = hits.map(({ id }) => id);

  expect(ids).toContain('doc-200');
  expect(ids).not.toContain('doc-201');
});
