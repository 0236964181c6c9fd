import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { pause } from '../../observability/background.ts';
import { NEXT_FILE, PREVIOUS_FILE } from './manifest.ts';
import { filesOfState, saveManifest } from './publish.ts';
import {
  buildDraft,
  dropProgress,
  exclusive,
  forgetApplied,
  liveDocuments,
  PREVIOUS_MS,
  publish,
  reconcile,
  reloadWhenStale,
  type Writer,
} from './writer-core.ts';
import { emptyState, type IndexState, type LoadedVocabulary, loadAside } from './writer-state.ts';

const TRY_AGAIN_MS = 5_000;

/**
 * Makes the list of segments anew from the source, beside refreshes and searches, and publishes it as one generation.
 * Goes on from what an earlier rebuild has saved. One at a time.
 */
export function rebuild(writer: Writer, cause: string): Promise<void> {
  const { deps, language, ending } = writer;
  const run = async () => {
    const from = (await loadAside(deps, NEXT_FILE, language))?.state ?? {
      ...emptyState(language),
      words: writer.state.words,
    };
    const { words } = writer.state;
    deps.log.info({ cause, fromSeq: from.seq }, 'index rebuild started');
    const nextNumber = () => writer.nextSegment++;
    const { signal } = ending;
    const draft = await buildDraft(deps, { from, nextNumber, signal, saveChanges: writer.saveRebuildChanges });
    await replaceList(writer, draft, words);
    deps.log.info({ cause, documents: liveDocuments(writer.state) }, 'index rebuild finished');
  };
  const done = writer.rebuilding.then(run);
  writer.rebuilding = done.catch(() => undefined);
  return done;
}

/** Rebuilds in the background and tries again until it is done or the writer ends. */
export function startRenewal(writer: Writer, cause: string): void {
  const { signal } = writer.ending;
  const run = async () => {
    while (!signal.aborted) {
      try {
        await rebuild(writer, cause);
        return;
      } catch (err) {
        if (signal.aborted) return;
        writer.deps.log.error({ err, cause }, 'index rebuild failed, trying again');
        await pause(TRY_AGAIN_MS, signal);
      }
    }
  };
  void run();
}

/**
 * Publishes the list that the last rebuild replaced, brought up to date, as the next generation; the present one is
 * kept in its place. @throws AppError `record.conflict` when there is none that this version could have made
 */
export async function rollBack(writer: Writer): Promise<void> {
  const { deps, language } = writer;
  const aside = await loadAside(deps, PREVIOUS_FILE, language);
  if (aside === undefined || aside.manifest.createdAt + PREVIOUS_MS < deps.clock.now()) {
    throw new AppError('record.conflict', 'There is no earlier index of this engine to go back to');
  }
  await replaceList(writer, aside.state, undefined);
  deps.log.info({ documents: liveDocuments(writer.state) }, 'index rolled back');
}

/** Forgets the replaced list when its time is over. */
export async function dropPrevious(writer: Writer): Promise<void> {
  const { previous, deps, orphans, state } = writer;
  if (previous === undefined || previous.untilMs > deps.clock.now()) return;
  writer.previous = undefined;
  await rm(join(deps.directory, PREVIOUS_FILE), { force: true });
  const named = namesOf(state);
  for (const name of previous.names) if (!named.has(name)) orphans.set(name, 0);
}

/**
 * Swaps the list for a draft that is made level with the source, keeping the present one for 24 hours. The words in
 * force stay, unless they still are those that the draft began with.
 */
function replaceList(writer: Writer, draft: IndexState, begunWith: LoadedVocabulary | undefined): Promise<void> {
  return exclusive(writer, async () => {
    await reloadWhenStale(writer);
    const { deps, state } = writer;
    const level = await reconcile(deps, draft, () => writer.nextSegment++);
    const before = await saveManifest(deps, PREVIOUS_FILE, state);
    writer.previous = { names: namesOf(before), untilMs: deps.clock.now() + PREVIOUS_MS };
    const { number } = state.words.vocabulary;
    const words = number === begunWith?.vocabulary.number || number === 0 ? level.draft.words : state.words;
    await publish(writer, { ...level.draft, words, seq: Math.max(level.draft.seq, state.seq) });
    await dropProgress(deps);
    forgetApplied(writer);
  });
}

function namesOf(state: IndexState): Set<string> {
  return new Set(filesOfState(state));
}
