import type { StoredDocument } from '../../../core/document.ts';
import type { Generation, IndexWriter } from '../../index-writer.ts';
import { readGeneration } from '../generation.ts';
import { aliasOf } from '../index-layout.ts';
import { writeBulk } from './bulk.ts';
import { createIndex, currentIndex, indicesOf, isOfLayout, moveAlias, nextIndex, readState } from './indices.ts';
import { rebuildIndex, rollBackIndex } from './rebuild.ts';
import { exclusive, type OpenSearchWriterOptions, publish, type Writer } from './writer-core.ts';

/**
 * Opens the one writer of an engine's index. An index that is not of the store beside it is made anew, while the old
 * one answers. Caller disposes; the connection stays the caller's.
 */
export async function openOpenSearchWriter(options: OpenSearchWriterOptions): Promise<IndexWriter> {
  const { connection, source, engineId, indexPrefix } = options;
  const alias = aliasOf(indexPrefix, engineId);
  const identity = await source.identity();
  const generation = await source.indexGeneration();
  const known = await currentIndex(connection, alias);
  const state = known === undefined ? undefined : await readState(connection, known);
  const writer: Writer = {
    options,
    alias,
    index: known ?? (await createFirst(options, alias)),
    state: { ...(state ?? { seq: 0, ...identity }), generation },
    mirror: undefined,
    waiting: new Map(),
    tail: Promise.resolve(),
  };
  const isForeign = state !== undefined && (state.storeId !== identity.storeId || state.epoch !== identity.epoch);
  if (isForeign || (state?.seq ?? 0) > (await source.lastSeq())) {
    writer.state = { ...writer.state, ...identity };
    await rebuildIndex(writer, 'of another store');
  } else if (!(await isOfLayout(connection, writer.index))) await rebuildIndex(writer, 'of another layout');
  return {
    get appliedSeq() {
      return writer.state.seq;
    },
    get pending() {
      return writer.waiting.size;
    },
    apply: (changes) => takeIn(writer, changes),
    refresh: () => exclusive(writer, () => refresh(writer, 0)),
    skipTo: (seq) => exclusive(writer, () => refresh(writer, seq)),
    rebuild: (cause) => rebuildIndex(writer, cause),
    rollBack: () => rollBackIndex(writer),
    async [Symbol.asyncDispose]() {
      await writer.tail.catch(() => undefined);
    },
  };
}

async function createFirst({ connection, ...layout }: OpenSearchWriterOptions, alias: string): Promise<string> {
  const index = nextIndex(alias, await indicesOf(connection, alias));
  await createIndex(connection, index, layout);
  await moveAlias(connection, alias, index);
  return index;
}

function takeIn({ waiting, state }: Writer, changes: readonly StoredDocument[]): void {
  for (const change of changes) {
    const latest = waiting.get(change.rid)?.seq ?? state.seq;
    if (change.seq > latest) waiting.set(change.rid, change);
  }
}

/** Publishes what waits, and that nothing is left up to `skippedTo`. What could not be written waits on. */
async function refresh(writer: Writer, skippedTo: number): Promise<Generation> {
  const { options, waiting, alias } = writer;
  const { connection } = options;
  const batch = [...waiting.values()];
  const indices = writer.mirror === undefined ? [writer.index] : [writer.index, writer.mirror];
  for (const index of indices) await writeBulk(options, index, batch);
  const seq = batch.reduce(
    (highest, document) => Math.max(highest, document.seq),
    Math.max(writer.state.seq, skippedTo),
  );
  await publish(writer, writer.index, seq);
  for (const document of batch) if (waiting.get(document.rid) === document) waiting.delete(document.rid);
  const { number, documents } = await readGeneration(connection, alias);
  return { number, seq, documents };
}
