import { expect, test } from 'vitest';
import { facetOf, planOf, word } from '../helpers/query-plans.ts';
import { FIXTURE, never, type OpenIndex, start } from '../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../helpers/stored-documents.ts';

/** Sentences of the ports about this; called by `describeSearchIndex`. */
export function describeReading(open: OpenIndex): void {
  test('generations never go back, and visibleSeq is what a search sees', async () => {
    await using engine = await start(open);
    const seen: number[] = [engine.index.visibleSeq(engine.engineId)];
    for (const rid of [1, 2, 3]) {
      await engine.publish([storedDocument({ rid })]);
      const { seq, total } = await engine.search({});
      expect([seq, total]).toEqual([rid, rid]);
      seen.push(engine.index.visibleSeq(engine.engineId));
    }

    expect(seen).toEqual([0, 1, 2, 3]);
  });

  test("a field's type follows its live values, also after deletions", async () => {
    await using engine = await start(open);
    const typeOf = async () => (await engine.index.fields(engine.engineId)).find(({ name }) => name === 'Size');
    await engine.publish([
      storedDocument({ rid: 1, fields: { Size: '7' } }),
      storedDocument({ rid: 2, fields: { Size: ['10'] } }),
    ]);
    expect(await typeOf()).toEqual({ name: 'Size', type: 'number', documents: 2 });

    await engine.publish([storedDocument({ rid: 3, fields: { Size: 'large' } })]);
    expect(await typeOf()).toEqual({ name: 'Size', type: 'text', documents: 3 });

    await engine.publish([deletedDocument(3, 4), storedDocument({ rid: 2, seq: 5 })]);
    expect(await typeOf()).toEqual({ name: 'Size', type: 'number', documents: 1 });

    await engine.publish([deletedDocument(1, 6)]);
    expect(await typeOf()).toBeUndefined();
  });

  test('languages are those of live documents', async () => {
    await using engine = await start(open);
    const languages = () => engine.index.languages(engine.engineId);
    expect(await languages()).toEqual([]);

    await engine.publish([
      storedDocument({ rid: 1, language: 'de' }),
      storedDocument({ rid: 2, language: 'da' }),
      storedDocument({ rid: 3, language: 'de' }),
    ]);
    expect(await languages()).toEqual(['da', 'de']);

    await engine.publish([deletedDocument(2, 4)]);
    expect(await languages()).toEqual(['de']);
  });

  test('an aborted search ends with the reason of its signal', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const stopped = new AbortController();
    const reason = new Error('enough');
    stopped.abort(reason);

    await expect(engine.index.search(engine.engineId, planOf(), stopped.signal)).rejects.toBe(reason);
  });

  test('an engine nobody ever wrote to is empty, not an error', async () => {
    await using engine = await start(open);
    const unknown = 999;

    const hits = await engine.index.search(
      unknown,
      planOf({ match: word('x'), facets: [facetOf('Category')] }),
      never(),
    );

    expect(hits).toMatchObject({ total: 0, hits: [], facets: [{ items: [], allCount: 0, missingCount: 0 }] });
    expect(await engine.index.fields(unknown)).toEqual([]);
    expect(await engine.index.hasMatch(unknown, { kind: 'all' }, never())).toBe(false);
    expect((await engine.index.matchingRids(unknown, { kind: 'all' })).rids).toHaveLength(0);
    expect(engine.index.visibleSeq(unknown)).toBe(0);
  });

  test('waitVisible ends when the change is visible, or with its signal', async () => {
    await using engine = await start(open);
    const waiting = engine.index.waitVisible(engine.engineId, 2, AbortSignal.timeout(10_000));
    await engine.publish([storedDocument({ rid: 1 }), storedDocument({ rid: 2 })]);

    expect(await waiting).toBe(true);
    expect(await engine.index.waitVisible(engine.engineId, 1, AbortSignal.abort())).toBe(true);
    expect(await engine.index.waitVisible(engine.engineId, 3, AbortSignal.timeout(20))).toBe(false);
  });

  test('a generation is searched whole while others are published', async () => {
    await using engine = await start(open);
    const publishing = (async () => {
      for (let step = 0; step < 10; step++) {
        await engine.publish(
          [1, 2].map((rid) => storedDocument({ rid: step * 2 + rid, fields: { Step: String(step) } })),
        );
      }
    })();

    for (let i = 0; i < 30; i++) {
      const { total, seq } = await engine.search({});
      expect([total % 2, seq]).toEqual([0, total]);
    }
    await publishing;
  });
}
