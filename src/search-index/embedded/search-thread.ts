import { type MessagePort, parentPort } from 'node:worker_threads';
import { returnMemoryWhenIdle } from '../../observability/idle-memory.ts';
import { explainDocuments } from './explain.ts';
import type { SegmentView, Snapshot } from './read/snapshot.ts';
import { snapshotOf } from './read/snapshot.ts';
import type { FromSearchThread, SentSegment, ToSearchThread } from './search-messages.ts';
import { Searcher } from './searcher.ts';
import { Segment } from './segment/segment.ts';
import { stoppable } from './stop-point.ts';

/** Entry of a search thread: holds the newest snapshot of each engine it was given and answers one search at a time. */
function serve(port: MessagePort): void {
  const searcher = new Searcher();
  const snapshots = new Map<number, Snapshot>();
  port.on('message', (message: ToSearchThread) => {
    switch (message.kind) {
      case 'snapshot': {
        const { facts } = message;
        const present = snapshots.get(facts.engineId)?.segments ?? [];
        const views = message.segments.map((sent) => viewOf(sent, present));
        snapshots.set(facts.engineId, snapshotOf(facts, views));
        return;
      }
      case 'extent':
        segmentOf(snapshots, message)?.attach(message.extent, message.buffer);
        return;
      case 'texts':
        segmentOf(snapshots, message)?.attachTexts(message.field, message.texts);
        return;
      case 'drop':
        segmentOf(snapshots, message)?.detach(message.extent);
        return;
      case 'forget':
        snapshots.delete(message.engineId);
        searcher.forget(message.engineId);
        return;
      case 'search':
      case 'near-words':
      case 'explain':
        port.postMessage(answer(searcher, snapshots.get(message.engineId), message));
    }
  });
}

function segmentOf(
  snapshots: ReadonlyMap<number, Snapshot>,
  { engineId, uid }: { readonly engineId: number; readonly uid: string },
): Segment | undefined {
  return snapshots.get(engineId)?.segments.find(({ segment }) => segment.uid === uid)?.segment;
}

/** The view as it is when nothing of it changed, so that what caches hang on it stays. */
function viewOf(sent: SentSegment, present: readonly SegmentView[]): SegmentView {
  const known = present.find(({ segment }) => segment.uid === sent.uid);
  if (known !== undefined && known.liveCount === sent.liveCount) return known;
  const segment = known?.segment ?? new Segment(sent.head, sent.fileBytes);
  return { segment, live: sent.live, liveCount: sent.liveCount };
}

function answer(
  searcher: Searcher,
  snapshot: Snapshot | undefined,
  message: Extract<ToSearchThread, { readonly request: number }>,
): FromSearchThread {
  const { request } = message;
  const flag = new Int32Array(message.stop);
  const check = () => {
    if (Atomics.load(flag, 0) !== 0) throw new Error('nobody waits for the answer');
  };
  try {
    // What was stopped while it waited here does not begin.
    check();
    if (snapshot === undefined) throw new Error('the engine is not open on this thread');
    return stoppable(check, () => compute(searcher, snapshot, message));
  } catch (error) {
    return { request, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function compute(
  searcher: Searcher,
  snapshot: Snapshot,
  message: Extract<ToSearchThread, { readonly request: number }>,
): FromSearchThread {
  const { request } = message;
  switch (message.kind) {
    case 'near-words':
      return { request, words: searcher.fuzzyTerms(snapshot, message.word, message.options) };
    case 'explain': {
      const { plan, documents } = message;
      return { request, explanations: explainDocuments(searcher, snapshot, { plan, documents }) };
    }
    case 'search':
      return { request, hits: searcher.search(snapshot, message.plan) };
  }
}

if (parentPort !== null) serve(parentPort);
returnMemoryWhenIdle();
