import type { StoredDocument } from '../../../core/document.ts';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../observability/logger.ts';
import type { IndexSource } from '../../index-writer.ts';
import type { Connection } from '../connection.ts';
import type { Layout } from '../index-layout.ts';
import { type IndexState, publishState } from './indices.ts';

export type OpenSearchWriterOptions = Layout & {
  readonly connection: Connection;
  readonly indexPrefix: string;
  readonly engineId: number;
  readonly source: IndexSource;
  readonly log: Log;
};

export type Writer = {
  readonly options: OpenSearchWriterOptions;
  readonly alias: string;
  index: string;
  state: IndexState;
  /** Of the index that is being made anew: it gets every change, too. */
  mirror: string | undefined;
  readonly waiting: Map<number, StoredDocument>;
  /** Ends with the last change of what is published. */
  tail: Promise<unknown>;
};

/** Publishes all that was written to an index as the next generation of the store. */
export async function publish(writer: Writer, index: string, seq: number): Promise<void> {
  const { connection, source, shards } = writer.options;
  const { generation } = writer.state;
  const state = { ...writer.state, seq, generation: generation + 1 };
  const isOwn = await source.claimGeneration(generation, generation + 1, () =>
    publishState(connection, index, { state, shards }),
  );
  if (!isOwn) throw new AppError('record.conflict', 'Another writer has published the index');
  writer.state = state;
}

/** One after the other. */
export function exclusive<T>(writer: Writer, work: () => Promise<T>): Promise<T> {
  const done = writer.tail.then(work, work);
  writer.tail = done.catch(() => undefined);
  return done;
}
