import { askDueGoldenQuestions, type GoldenRoundDeps } from '../ai/golden-questions.ts';
import { repeat } from '../observability/background.ts';

const GOLDEN_PAUSE_MS = 60_000;

/** Job `ask-golden-questions`: looks every minute for engines that are to be asked again. */
export function startGoldenRounds(deps: GoldenRoundDeps): AsyncDisposable {
  const stop = new AbortController();
  const { signal } = stop;
  const running = repeat({ log: deps.log, name: 'golden questions', pauseMs: GOLDEN_PAUSE_MS, signal }, () =>
    askDueGoldenQuestions(deps, signal),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}
