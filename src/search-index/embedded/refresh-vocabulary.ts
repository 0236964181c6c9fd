import { randomInt } from 'node:crypto';
import { createVocabulary, hasCompounds, type Vocabulary } from '../../text/compounds.ts';
import { buildVocabulary } from './merge/build-vocabulary.ts';
import { runVocabularyThread } from './merge/run-merge.ts';
import type { WriterDeps } from './publish.ts';
import { writeWords } from './words-file.ts';
import { exclusive, liveDocuments, publish, type Writer } from './writer-core.ts';
import type { LoadedVocabulary } from './writer-state.ts';

/** Live documents from which words are learned: below, hardly one stands in three of them (`KNOWN_DOCUMENTS`). */
export const FIRST_DOCUMENTS = 64;
const MAX_NUMBER = 2 ** 32 - 1;

/**
 * Learns the words that compounds consist of from the live documents, at 64 of them and at each doubling, when one of
 * the engine's languages writes words together: at once for a small engine, else on a thread beside refreshes. They
 * split the compounds of later segments and merges. Never rejects; what failed is tried after the next refresh.
 */
export async function refreshVocabulary(writer: Writer): Promise<void> {
  const { state, ending, stale, inlineMergeDocuments, vocabularyFromDocuments } = writer;
  const live = liveDocuments(state);
  if (stale || ending.signal.aborted || writer.learning !== undefined) return;
  if (live < Math.max(vocabularyFromDocuments, 2 * state.words.documents)) return;
  if (!state.fieldNumbers.lists().languages.some(hasCompounds)) return;
  const learning = rebuildVocabulary(writer, live > inlineMergeDocuments).catch((err: unknown) => {
    if (!ending.signal.aborted) writer.deps.log.error({ err }, 'words of compounds could not be learned');
  });
  if (live <= inlineMergeDocuments) return learning;
  writer.learning = learning.then(() => {
    writer.learning = undefined;
  });
}

async function rebuildVocabulary(writer: Writer, onThread: boolean): Promise<void> {
  const { deps, state, ending } = writer;
  const input = {
    directory: deps.directory,
    segments: state.segments.map(({ n, uid, live }) => ({ n, uid, live })),
    languages: state.fieldNumbers.lists().languages,
  };
  const languages = onThread ? await runVocabularyThread(input, ending.signal) : await buildVocabulary(input);
  // Random, as the number in its name must not meet that of a file which a failed publication has left.
  const vocabulary = createVocabulary(randomInt(1, MAX_NUMBER), languages);
  await writeWords(deps.directory, vocabulary);
  const words = { vocabulary, documents: liveDocuments(state) };
  await exclusive(writer, async () => {
    if (!writer.stale) await publish(writer, { ...writer.state, words });
  });
}

/** Puts a given vocabulary beside the index, to be in force from the next publication on. */
export async function useWords({ directory }: WriterDeps, vocabulary: Vocabulary): Promise<LoadedVocabulary> {
  await writeWords(directory, vocabulary).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return { vocabulary, documents: 0 };
}
