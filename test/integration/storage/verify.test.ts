import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { verifyInstallation } from '../../../src/compose/verify.ts';
import { systemClock } from '../../../src/core/clock.ts';
import {
  closedInstallation,
  indexDocuments,
  openInstallation,
  pushedDocument,
  readStore,
} from '../../helpers/backups.ts';
import { runCli } from '../../helpers/cli.ts';
import { FIXTURE_RECORDS } from '../../helpers/fixture.ts';
import { flipByte } from '../../helpers/index-installation.ts';
import { seededRandom } from '../../helpers/random.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const STORE = 'engines/6/store.db';
const HIDE = "UPDATE documents SET deleted = 1 WHERE id = 'a'";

/** Documents, a URL and records, indexed, with nothing running. */
async function indexedInstallation(
  beforeIndexing: (change: (name: string, sql: string) => void) => void = () => undefined,
) {
  const folder = await temporaryFolder();
  await closedInstallation(folder.path);
  {
    await using installation = await openInstallation(folder.path);
    await installation.system.changeRecords('test', [...FIXTURE_RECORDS], systemClock.now());
  }
  const change = (name: string, sql: string) => {
    using db = new DatabaseSync(join(folder.path, name));
    db.exec(sql);
  };
  beforeIndexing(change);
  await indexDocuments(folder.path);
  const verify = (...options: string[]) => runCli(['verify', ...options], { environment: { DATA_DIR: folder.path } });
  return { ...folder, verify, change };
}

describe('fossick verify', () => {
  test('finds nothing in an installation that is whole, also while it is written', async () => {
    await using folder = await indexedInstallation();
    await using installation = await openInstallation(folder.path);
    const store = await installation.engines.of(6);
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n++) await store.putDocuments(17, [pushedDocument(`later ${n}`)], 2);
    })();

    const { code, out } = await folder.verify();
    isOver = true;
    await writing;

    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^Nothing is wrong with 2 stores and \d+ documents\n$/),
    });
  });

  test.each([
    ['the text of a document', STORE, "UPDATE documents SET fields = zeroblob(8) WHERE id = 'b'", 'documents', 'rid 2'],
    ['the origin of a document', STORE, "UPDATE documents SET origin = 77 WHERE id = 'b'", 'documents', 'rid 2'],
    [
      'a URL',
      STORE,
      "INSERT INTO hosts (id, crawler_id, origin) VALUES (1, 17, 'https://a.test'); INSERT INTO urls (id, crawler_id, host_id, key, url, kind, state, reason, origin, depth, first_seen_at) VALUES (5, 17, 1, 99, 'https://a.test/', 0, 1, 0, 0, 1, 5)",
      'urls',
      'id 5',
    ],
    ['settings', 'system.db', 'UPDATE engines SET settings = \'{"a":\' WHERE id = 6', 'engines', 'row 6'],
    ['a name', 'system.db', "UPDATE customers SET name = CAST(x'41ff42' AS TEXT) WHERE id = 3", 'customers', 'row 3'],
  ])('finds a change in %s and names table and row, with exit code 1', async (_what, name, sql, table, id) => {
    await using folder = await indexedInstallation();
    folder.change(name, sql);

    const { code, out } = await folder.verify('--json');

    expect(code).toBe(1);
    const { findings } = JSON.parse(out) as {
      findings: { store: string; table: string; id: string; command: string }[];
    };
    expect(findings).toMatchObject([
      { store: name, table, id: expect.stringContaining(id), command: expect.any(String) },
    ]);
  });

  test('finds a damaged page and a file that is no store, and goes on with the others', async () => {
    await using folder = await indexedInstallation();
    const path = join(folder.path, STORE);
    const bytes = await readFile(path);
    bytes.fill(0xff, 4096 * 3, 4096 * 3 + 200);
    await writeFile(path, bytes);
    await writeFile(join(folder.path, 'system.db'), 'no database at all, but long enough to be looked at as one');

    const { findings } = await verifyInstallation(folder.path, { repair: false });

    expect(findings.map(({ store }) => store)).toEqual(expect.arrayContaining(['system.db', STORE]));
    expect(findings.every(({ command }) => command === 'fossick restore <file> --replace')).toBe(true);
  });

  test('finds a store of a newer version', async () => {
    await using folder = await indexedInstallation();
    folder.change(STORE, "UPDATE meta SET value = '999' WHERE name = 'schema_version'");

    const { findings } = await verifyInstallation(folder.path, { repair: false });

    expect(findings).toMatchObject([{ store: STORE, what: expect.stringContaining('999') }]);
  });

  test('finds what the index lacks and what it holds too much, and has it made again', async () => {
    await using folder = await indexedInstallation();
    folder.change(STORE, HIDE);

    const found = await folder.verify();
    const repaired = await folder.verify('--repair');

    expect(found).toMatchObject({
      code: 1,
      out: expect.stringMatching(/index +rid 1 +searches find it, and it is not stored +fossick verify --repair/),
    });
    expect(repaired.out).toContain('The index of engine 6 is made again by the indexer, now or at the next start');
    const [asked] = readStore(folder.path, STORE, "SELECT value FROM meta WHERE name = 'index_work'");
    expect(asked?.['value']).toBe('rebuild');
  });

  test('finds a stored document that the index lacks', async () => {
    await using folder = await indexedInstallation((change) =>
      change(STORE, `CREATE TABLE kept AS SELECT * FROM documents WHERE id = 'a'; ${HIDE}`),
    );
    folder.change(STORE, 'INSERT INTO documents SELECT * FROM kept; DROP TABLE kept');

    const { findings } = await verifyInstallation(folder.path, { repair: false });

    expect(findings).toMatchObject([{ table: 'index', id: 'rid 1', what: 'it is stored, and no search finds it' }]);
  });

  test('finds a flipped byte in a file of the index, and an index of another store', async () => {
    await using folder = await indexedInstallation();
    await flipByte(join(folder.path, 'engines/6/index/seg-1.bin'), 300);
    const flipped = await verifyInstallation(folder.path, { repair: false });
    await flipByte(join(folder.path, 'engines/6/index/seg-1.bin'), 300);
    folder.change(STORE, "UPDATE meta SET value = 'restored' WHERE name = 'epoch'");

    const foreign = await verifyInstallation(folder.path, { repair: false });

    expect(flipped.findings).toMatchObject([{ table: 'index', what: 'a file of the index is damaged' }]);
    expect(foreign.findings).toMatchObject([{ table: 'index', what: expect.stringContaining('another store') }]);
  });

  test('makes an index of SQLite again from its table', async () => {
    await using folder = await indexedInstallation();
    using db = new DatabaseSync(join(folder.path, STORE));
    const root = Number(
      db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'documents_by_seq'").get()?.['rootpage'],
    );
    db.close();
    const path = join(folder.path, STORE);
    const bytes = await readFile(path);
    bytes.writeUInt8(8, root * 4096 - 1);
    await writeFile(path, bytes);

    const repaired = await verifyInstallation(folder.path, { repair: true });
    const after = await verifyInstallation(folder.path, { repair: false });

    expect(repaired.findings.map(({ command }) => command)).toContain('fossick verify --repair, while nothing runs');
    expect(after.findings).toEqual([]);
  });

  test('finds most flipped bytes of a store', { timeout: 600_000 }, async () => {
    await using folder = await indexedInstallation();
    const path = join(folder.path, STORE);
    const whole = await readFile(path);
    const used = [...whole.keys()].filter((at) => whole[at] !== 0 && at >= 100);
    const random = seededRandom(7);
    const flips = isLongForm ? 1_000 : 40;
    let found = 0;
    for (let flip = 0; flip < flips; flip++) {
      const bytes = Buffer.from(whole);
      const at = used[random.whole(0, used.length - 1)] ?? 0;
      bytes.writeUInt8((whole[at] ?? 0) ^ (1 << random.whole(0, 7)), at);
      await writeFile(path, bytes);
      const { findings } = await verifyInstallation(folder.path, { repair: false });
      found += findings.length > 0 ? 1 : 0;
    }

    expect(found / flips).toBeGreaterThan(0.5);
    reportFigure('backups.verify-flips', `${found} of ${flips} flipped bytes of a store found`);
  });
});
