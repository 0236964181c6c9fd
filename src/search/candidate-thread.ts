import { parentPort, workerData } from 'node:worker_threads';
import { returnMemoryWhenIdle } from '../observability/idle-memory.ts';
import { isInjected } from '../text/injected-text.ts';
import type { CandidateAnswer, CandidateQuestion, CandidateThreadData } from './candidate-threads.ts';
import { createAnalysedPassages, findCandidates } from './find-candidates.ts';
import { packCandidates } from './packed-candidates.ts';

/** Entry of a thread that finds candidates, one question at a time, and keeps the passages that it analysed. */

const { maxBytes } = workerData as CandidateThreadData;
const analysedPassages = createAnalysedPassages({ maxBytes, isInjected });
const NO_PAUSES = async () => {};
let before: Promise<void> = Promise.resolve();

parentPort?.on('message', (question: CandidateQuestion) => {
  before = before.then(async () => {
    const found = await answer(question);
    parentPort?.postMessage(found, 'found' in found ? [found.found.stems.buffer] : []);
  });
});

returnMemoryWhenIdle();

async function answer({ request, input }: CandidateQuestion): Promise<CandidateAnswer> {
  try {
    return { request, found: packCandidates(await findCandidates(analysedPassages, input, NO_PAUSES)) };
  } catch (error) {
    return { request, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
