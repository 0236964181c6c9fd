import { expect, test } from 'vitest';
import type { AuditQuery } from '../../src/storage/system/accounts.ts';
import { openSystem } from '../helpers/open-system.ts';
import { storeAdapter } from '../helpers/store-adapter.ts';

const ANNA = 'person:4 anna@example.org';
const openWithRows = async () => {
  const system = await openSystem();
  const told = [
    { at: 10, actor: 'operator', action: 'put-engine', target: 'engine:6' },
    { at: 20, actor: ANNA, action: 'put-ranking', target: 'engine:6/ranking:1' },
    { at: 30, actor: ANNA, action: 'pause-runs', target: 'crawler:16' },
    { at: 40, actor: 'key:2 Anna', action: 'put-ranking', target: 'engine:7/ranking:2' },
  ];
  for (const row of told) await system.store.recordAction(row);
  return system;
};

test.each<[Omit<AuditQuery, 'limit'>, readonly number[]]>([
  [{}, [4, 3, 2, 1]],
  [{ actor: 'anna' }, [4, 3, 2]],
  [{ actor: 'ANNA@' }, [3, 2]],
  [{ actor: 'p%' }, []],
  [{ action: 'put-ranking' }, [4, 2]],
  [{ action: 'put' }, []],
  [{ target: 'engine:6' }, [2, 1]],
  [{ target: 'ngine:6' }, []],
  [{ from: 20, to: 30 }, [3, 2]],
  [{ actor: 'anna', action: 'put-ranking', target: 'engine:6', from: 20, before: 4 }, [2]],
])('listAudit lists the rows that fit %j, newest first', async (filter, ids) => {
  await using system = await openWithRows();

  const { entries, next } = await system.store.listAudit({ ...filter, limit: 10 });

  expect(entries.map(({ id }) => id)).toEqual(ids);
  expect(next).toBeUndefined();
});

test('listAudit looks at 100,000 rows for a page, and leads on from there', async () => {
  await using system = await openWithRows();
  const rows = `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 100000)
    INSERT INTO audit_log (at, actor, action, target) SELECT at, 'operator', 'put-engine', 'engine:6' FROM n`;
  await storeAdapter.query(system.dataDir, { kind: 'system' }, rows);

  const first = await system.store.listAudit({ limit: 10, actor: 'anna' });
  const second = await system.store.listAudit({ limit: 10, actor: 'anna', before: first.next });

  expect(first).toEqual({ entries: [], next: 5 });
  expect(second.entries.map(({ id }) => id)).toEqual([4, 3, 2]);
  expect(second.next).toBeUndefined();
});
