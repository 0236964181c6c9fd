import { expect, test } from 'vitest';
import type { StoredDocument } from '../../../../src/core/document.ts';
import { AppError } from '../../../../src/core/errors.ts';
import { ENGINE, indexInstallation } from '../../../helpers/index-installation.ts';
import { planOf } from '../../../helpers/query-plans.ts';
import { never } from '../../../helpers/search-index-harness.ts';
import { storedDocument } from '../../../helpers/stored-documents.ts';

const titled = (rid: number) => storedDocument({ rid, seq: rid, fields: { Title: `page ${rid}` } });
const LEFT_OUT = 'a document cannot be indexed and is left out';

const failing = (rid: number, err: Error): StoredDocument => ({
  ...titled(rid),
  get fields(): never {
    throw err;
  },
});
/** What no store holds: it fails when its segment is written. */
const withoutId = (rid: number): StoredDocument => ({ ...titled(rid), id: undefined as unknown as string });

async function ridsOf(place: Awaited<ReturnType<typeof indexInstallation>>) {
  const { hits } = await place.openIndex().search(ENGINE, planOf({ limit: 100 }), never());
  return hits.map(({ rid }) => rid).sort((a, b) => a - b);
}

test.each([
  ['when it is read', (rid: number) => failing(rid, new RangeError('too many arguments'))],
  ['when its segment is written', withoutId],
])('a document that fails %s is left out, and every other one is found', async (_case, broken) => {
  await using place = await indexInstallation();
  await using writer = await place.openWriter();

  const rids = Array.from({ length: 20 }, (_, i) => i + 1);
  writer.apply(place.store(rids.map((rid) => (rid === 7 || rid === 20 ? broken(rid) : titled(rid)))));
  expect(await writer.refresh()).toMatchObject({ seq: 20, documents: 18 });
  writer.apply(place.store([titled(21)]));
  await writer.refresh();

  expect(await ridsOf(place)).toEqual([...rids, 21].filter((rid) => rid !== 7 && rid !== 20));
  expect(place.warnings()).toEqual([LEFT_OUT, LEFT_OUT]);
});

test('a document that is left out is found when it is replaced by one that can be indexed', async () => {
  await using place = await indexInstallation();
  await using writer = await place.openWriter();
  writer.apply(place.store([withoutId(1), titled(2)]));
  await writer.refresh();

  writer.apply(place.store([{ ...titled(1), seq: 3 }]));
  await writer.refresh();

  expect(await ridsOf(place)).toEqual([1, 2]);
});

test('a rebuild goes past it, too', async () => {
  await using place = await indexInstallation();
  await using writer = await place.openWriter();
  place.store([titled(1), withoutId(2), titled(3)]);

  await writer.rebuild('test');

  expect(await ridsOf(place)).toEqual([1, 3]);
});

test.each([
  [
    'the disk',
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' }),
  ],
  ['the memory of the machine', new RangeError('Array buffer allocation failed')],
  ['an error of its own', new AppError('storage.full', 'The disk is full')],
])('a failure of %s leaves nobody out: it is tried again', async (_case, err) => {
  await using place = await indexInstallation();
  await using writer = await place.openWriter();
  writer.apply(place.store([titled(1), failing(2, err)]));

  await expect(writer.refresh()).rejects.toBe(err);
  writer.apply(place.store([{ ...titled(2), seq: 3 }]));
  expect(await writer.refresh()).toMatchObject({ documents: 2 });
});
