import { laterTurnEvery } from '../core/next-turn.ts';
import type { AnalysedPassages } from './analysed-passages.ts';
import { type FindCandidates, findCandidates, type Pause } from './find-candidates.ts';

/** Characters that are cut and stemmed in one turn of the event loop: some 3 ms. */
const CHARS_PER_TURN = 15_000;

/** Finds candidates on the event loop of the caller, in turns of some milliseconds; between two the signal is asked. */
export function candidateFinder(analysedPassages: Pick<AnalysedPassages, 'of'>): FindCandidates {
  return (input, signal) => findCandidates(analysedPassages, input, createPauses(signal));
}

/** Waits for the next turn when enough was done in this one. */
function createPauses(signal: AbortSignal): Pause {
  const pause = laterTurnEvery(CHARS_PER_TURN);
  return async (chars) => {
    await pause(chars);
    signal.throwIfAborted();
  };
}
