import { z } from 'zod';
import type { StoredDocument } from '../../../core/document.ts';
import { AppError } from '../../../core/errors.ts';
import { pause } from '../../../observability/background.ts';
import type { Log } from '../../../observability/logger.ts';
import { EMPTY_VOCABULARY } from '../../../text/compounds.ts';
import type { Connection } from '../connection.ts';
import { writtenName } from '../index-layout.ts';
import { indexRow } from '../index-row.ts';

const MAX_REQUEST_BYTES = 5 * 1024 * 1024;
const BULK_DEADLINE_MS = 60_000;
/** The servers' queues are full: the request is sent again after a pause that doubles. */
const FIRST_PAUSE_MS = 100;
const MAX_TRIES = 6;
const CONFLICT = 409;
const NOT_FOUND = 404;
const FULL = 429;
const GONE = 'index_not_found_exception';

export type BulkDeps = { readonly connection: Connection; readonly log: Log };

type Line = { readonly rid: number; readonly seq: number; readonly text: string };

const BulkSchema = z.object({
  items: z.array(
    z.record(
      z.string(),
      z.object({ status: z.number(), error: z.object({ type: z.string(), reason: z.string().nullish() }).optional() }),
    ),
  ),
});

/**
 * Writes the states of documents into an index; the later of two wins, in whatever order they come. What cannot be
 * indexed is left out and logged. Visible with the next refresh.
 */
export async function writeBulk(deps: BulkDeps, index: string, documents: Iterable<StoredDocument>): Promise<void> {
  let lines: Line[] = [];
  let bytes = 0;
  for (const document of documents) {
    const line = lineOf(deps.log, document);
    if (lines.length > 0 && bytes + line.text.length > MAX_REQUEST_BYTES) {
      await send(deps, index, lines);
      lines = [];
      bytes = 0;
    }
    lines.push(line);
    bytes += line.text.length;
  }
  if (lines.length > 0) await send(deps, index, lines);
}

function lineOf(log: Log, document: StoredDocument): Line {
  const { rid, seq } = document;
  if (document.deleted || document.damaged) return deletion(rid, seq);
  try {
    const row = JSON.stringify(indexRow(document, EMPTY_VOCABULARY));
    const action = JSON.stringify({ index: { _id: String(rid), version: seq, version_type: 'external' } });
    return { rid, seq, text: `${action}\n${row}\n` };
  } catch (err) {
    log.error({ err, rid }, 'document left out of the index');
    return deletion(rid, seq);
  }
}

function deletion(rid: number, seq: number): Line {
  const action = JSON.stringify({ delete: { _id: String(rid), version: seq, version_type: 'external' } });
  return { rid, seq, text: `${action}\n` };
}

async function send(deps: BulkDeps, index: string, lines: readonly Line[]): Promise<void> {
  let waiting = lines;
  for (let attempt = 0, pauseMs = FIRST_PAUSE_MS; waiting.length > 0; attempt++, pauseMs *= 2) {
    if (attempt === MAX_TRIES) throw new AppError('index.unavailable', 'The index takes in no more documents');
    if (attempt > 0) await pause(pauseMs, new AbortController().signal);
    waiting = await sendOnce(deps, index, waiting);
  }
}

/** Resolves with what has to be sent again. */
async function sendOnce(
  { connection, log }: BulkDeps,
  index: string,
  lines: readonly Line[],
): Promise<readonly Line[]> {
  const answer = await connection.call({
    method: 'POST',
    path: `/${writtenName(index)}/_bulk`,
    query: { require_alias: true },
    lines: lines.map(({ text }) => text).join(''),
    deadlineMs: BULK_DEADLINE_MS,
  });
  const again: Line[] = [];
  for (const [at, item] of BulkSchema.parse(answer).items.entries()) {
    const line = lines[at];
    const [outcome] = Object.values(item);
    if (line === undefined || outcome === undefined) continue;
    const { status, error } = outcome;
    if (error?.type === GONE) throw new AppError('index.unavailable', 'The index was deleted from the servers');
    if (status < 300 || status === CONFLICT || status === NOT_FOUND) continue;
    if (status === FULL || status >= 500) again.push(line);
    else {
      log.error({ rid: line.rid, reason: error?.type }, 'document left out of the index');
      again.push(deletion(line.rid, line.seq));
    }
  }
  return again;
}
