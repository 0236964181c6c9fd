import { expect, test } from 'vitest';
import type { StoredDocument } from '../../../../src/core/document.ts';
import { indexInstallation } from '../../../helpers/index-installation.ts';
import { storedDocument } from '../../../helpers/stored-documents.ts';

const DOCUMENTS = 600;
const text = Array.from({ length: 1_500 }, (_, i) => `word${i % 700} and others`).join(' ');
const FIELDS = new Map([
  ['Title', ['A page']],
  ['Content', [text]],
]);

test('indexing many documents lets other work of its process take its turn', async () => {
  await using place = await indexInstallation();
  await using writer = await place.openWriter();
  let turn = 0;
  let isCounting = true;
  const count = () => {
    turn++;
    if (isCounting) setImmediate(count);
  };
  const turnsOfDocuments = new Set<number>();
  const watched = (rid: number): StoredDocument => ({
    ...storedDocument({ rid, seq: rid }),
    get fields() {
      turnsOfDocuments.add(turn);
      return FIELDS;
    },
  });

  writer.apply(place.store(Array.from({ length: DOCUMENTS }, (_, i) => watched(i + 1))));
  turnsOfDocuments.clear();
  setImmediate(count);
  await writer.refresh();
  isCounting = false;

  expect(turnsOfDocuments.size).toBeGreaterThan(10);
});
