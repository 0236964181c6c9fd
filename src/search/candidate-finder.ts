import { yieldInBackgroundEvery } from '../core/yield.ts';
import type { AnalysedPassages } from './analysed-passages.ts';
import { type FindCandidates, findCandidates, type Pause } from './find-candidates.ts';

/** Characters that are cut and stemmed in one turn of the event loop: some 3 ms. */
const CHARS_PER_YIELD = 15_000;

/** Finds candidates on the event loop of the caller, in turns of some milliseconds; between two the signal is asked. */
export function candidateFinder(analysedPassages: Pick<AnalysedPassages, 'of'>): FindCandidates {
  return (input, signal) => findCandidates(analysedPassages, input, createPauses(signal));
}

/** Waits for the next turn when enough was done in this one. */
function createPauses(signal: AbortSignal): Pause {
  const pause = yieldInBackgroundEvery(CHARS_PER_YIELD);
  return async (chars) => {
    await pause(chars);
    signal.throwIfAborted();
  };
}
