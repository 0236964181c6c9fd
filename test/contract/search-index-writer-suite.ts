import { expect, test } from 'vitest';
import { facetOf, planOf, word } from '../helpers/query-plans.ts';
import { FIXTURE, idsOf, type OpenIndex, start } from '../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../helpers/stored-documents.ts';

/** Sentences of the ports about this; called by `describeSearchIndex`. */
export function describeWriter(open: OpenIndex): void {
  test('apply only takes changes in, refresh publishes all of them as one generation', async () => {
    await using engine = await start(open);
    engine.apply([storedDocument({ rid: 1 }), storedDocument({ rid: 2 })]);

    expect(await engine.ids()).toEqual([]);
    expect(engine.writer.pending).toBe(2);
    const generation = await engine.refresh();

    expect(generation).toMatchObject({ seq: 2, documents: 2 });
    expect(engine.writer.pending).toBe(0);
    expect(await engine.ids()).toEqual(['doc-1', 'doc-2']);
  });

  test('the last applied state of a row wins', async () => {
    await using engine = await start(open);
    engine.apply([storedDocument({ rid: 1, seq: 1, id: 'a' }), storedDocument({ rid: 2, seq: 2 })]);
    engine.apply([deletedDocument(1, 3), storedDocument({ rid: 2, seq: 4, fields: { Title: 'New' } })]);
    await engine.refresh();

    expect(await engine.ids()).toEqual(['doc-2']);
    expect(await engine.ids({ match: word('new') })).toEqual(['doc-2']);
  });

  test('skipTo moves the applied number up, never back, and changes no result', async () => {
    await using engine = await start(open);
    await engine.publish([storedDocument({ rid: 1, seq: 3 })]);

    await engine.writer.skipTo(9);
    await engine.writer.skipTo(5);

    expect(engine.writer.appliedSeq).toBe(9);
    expect(await engine.index.waitVisible(engine.engineId, 9, AbortSignal.timeout(5_000))).toBe(true);
    expect(await engine.ids()).toEqual(['doc-1']);
  });

  test('applying the same changes or a prefix of them again changes nothing', async () => {
    await using engine = await start(open);
    const changes = [
      storedDocument({ rid: 1, seq: 1, fields: { Title: 'Old' } }),
      storedDocument({ rid: 2, seq: 2 }),
      storedDocument({ rid: 1, seq: 3, fields: { Title: 'New' } }),
      deletedDocument(2, 4),
    ];
    await engine.publish(changes);

    await engine.publish(changes);
    await engine.publish(changes.slice(0, 2));

    expect(await engine.ids()).toEqual(['doc-1']);
    expect(await engine.ids({ match: word('new') })).toEqual(['doc-1']);
    expect(engine.writer.appliedSeq).toBe(4);
  });

  test('appliedSeq never claims a change that is not published', async () => {
    await using engine = await start(open);
    await engine.publish([storedDocument({ rid: 1 })]);
    engine.apply([storedDocument({ rid: 2 })]);

    expect(engine.writer.appliedSeq).toBe(1);
    expect(engine.index.visibleSeq(engine.engineId)).toBe(1);
  });

  test('a replaced document is visible in exactly one version, with the other changes of its refresh', async () => {
    await using engine = await start(open);
    const version = (seq: number, title: string) =>
      [1, 2, 3].map((rid) => storedDocument({ rid, seq: seq + rid, fields: { Title: title } }));
    await engine.publish(version(0, 'old'));
    const titles = { match: { kind: 'or', of: [word('old'), word('new')] } as const, facets: [facetOf('Title')] };

    const publishing = engine.publish(version(10, 'new'));
    const during = await Promise.all(Array.from({ length: 20 }, () => engine.search(titles)));
    await publishing;
    const after = await engine.search(titles);

    for (const hits of [...during, after]) {
      expect(hits.total).toBe(3);
      expect(hits.facets[0]?.items).toHaveLength(1);
    }
    expect(after.facets[0]?.items).toEqual([{ key: 'new', count: 3, facets: [] }]);
  });

  test('after a rebuild every search answers as before, and searches go on during it', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    await engine.publish([deletedDocument(4, 40)]);
    const plan = planOf({ match: { kind: 'or', of: [word('solar'), word('guide')] }, facets: [facetOf('Category')] });
    const before = await engine.search(plan);

    const rebuilding = engine.writer.rebuild('test');
    const during = await engine.search(plan);
    await rebuilding;
    const after = await engine.search(plan);

    expect(withoutSeq(during)).toEqual(withoutSeq(before));
    expect(withoutSeq(after)).toEqual(withoutSeq(before));
    expect(after.seq).toBeGreaterThanOrEqual(before.seq);
  });
}

/** For adapters with files: what a crash between `apply` and `refresh` leaves. */
export function describeCrashes(open: OpenIndex): void {
  test('a crash leaves the last generation readable, and a replay completes it', async () => {
    await using engine = await start(open);
    await engine.publish([storedDocument({ rid: 1 })]);
    engine.apply([storedDocument({ rid: 2 })]);
    if (engine.reopen === undefined) throw new Error('An adapter that keeps files gives reopen');

    await using again = await engine.reopen();
    expect(again.writer.appliedSeq).toBe(1);
    expect(await idsOf(again)).toEqual(['doc-1']);
    again.writer.apply([storedDocument({ rid: 1 }), storedDocument({ rid: 2 })]);
    await again.writer.refresh();
    await again.index.waitVisible(again.engineId, 2, AbortSignal.timeout(5_000));

    expect(await idsOf(again)).toEqual(['doc-1', 'doc-2']);
  });
}

function withoutSeq<T extends { seq: number }>({ seq: _, ...rest }: T): Omit<T, 'seq'> {
  return rest;
}
