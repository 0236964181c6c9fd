import { AppError } from '../../../core/errors.ts';
import { writtenName } from '../index-layout.ts';
import { readRids } from '../read-rids.ts';
import { writeBulk } from './bulk.ts';
import { createIndex, deleteIndex, indicesOf, isOfLayout, moveAlias, nextIndex, readState } from './indices.ts';
import { exclusive, publish, type Writer } from './writer-core.ts';

const STEP = { rows: 500, bytes: 2 * 1024 * 1024 } as const;

/**
 * Fills a new index from the store and moves the alias to it. Changes that are published meanwhile go into both. The
 * index before is kept for going back to it, older ones are deleted.
 */
export async function rebuildIndex(writer: Writer, cause: string): Promise<void> {
  const { connection, source, log, ...layout } = writer.options;
  const known = await indicesOf(connection, writer.alias);
  const index = nextIndex(writer.alias, known);
  log.info({ cause, index }, 'index is made anew');
  await createIndex(connection, index, layout);
  for (const old of known) if (old !== writer.index) await deleteIndex(connection, old);
  writer.mirror = index;
  try {
    await fill(writer, index);
    await exclusive(writer, async () => {
      await publish(writer, index, writer.state.seq);
      await replaceBy(writer, index);
    });
  } catch (error) {
    await deleteIndex(connection, index);
    throw error;
  } finally {
    writer.mirror = undefined;
  }
}

async function fill({ options }: Writer, index: string): Promise<void> {
  const { source } = options;
  for (let after = -1; ; ) {
    const rids = await source.liveRids(after, STEP.rows);
    const last = rids.at(-1);
    if (last === undefined) return;
    const documents = await source.readDocuments(rids);
    await writeBulk(
      options,
      index,
      documents.filter((document) => document !== undefined),
    );
    after = last;
  }
}

async function replaceBy(writer: Writer, index: string): Promise<void> {
  await moveAlias(writer.options.connection, writer.alias, index, writer.index);
  writer.index = index;
}

/** Moves the alias back to the index before, once it has all changes since. */
export async function rollBackIndex(writer: Writer): Promise<void> {
  const { connection, source } = writer.options;
  const known = await indicesOf(connection, writer.alias);
  const index = known.filter((name) => name !== writer.index).at(-1);
  const state = index === undefined ? undefined : await readState(connection, index);
  if (index === undefined || state === undefined || !(await isOfLayout(connection, index)))
    throw new AppError('record.conflict', 'There is no index to go back to');
  writer.mirror = index;
  try {
    for (let seq = state.seq; ; ) {
      const changes = await source.changesAfter(seq, STEP);
      if (changes.length === 0) break;
      await writeBulk(writer.options, index, changes);
      seq = changes.at(-1)?.seq ?? seq;
    }
    await deleteGone(writer, index);
    await exclusive(writer, async () => {
      await publish(writer, index, writer.state.seq);
      await replaceBy(writer, index);
    });
  } finally {
    writer.mirror = undefined;
  }
}

/** Rows of documents that were deleted meanwhile may be gone from the store. */
async function deleteGone(writer: Writer, index: string): Promise<void> {
  const { connection, source } = writer.options;
  for await (const rids of readRids(connection, index, { match_all: {} })) {
    const documents = await source.readDocuments(rids);
    const gone = rids.filter((_, at) => documents[at] === undefined);
    const lines = gone.map((rid) => `${JSON.stringify({ delete: { _id: String(rid) } })}\n`).join('');
    if (lines !== '') await connection.call({ method: 'POST', path: `/${writtenName(index)}/_bulk`, lines });
  }
}
