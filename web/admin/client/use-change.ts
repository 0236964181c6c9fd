import { useRef, useState } from 'preact/hooks';
import { FossickError } from '../../../packages/client/src/fossick-error.ts';

export type Change = {
  /** Runs one change at a time. False: it failed, or another one runs. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly isRunning: boolean;
  readonly error: unknown;
  /** What the API says about a member of the body: `settings.seeds`. */
  readonly problemOf: (path: string) => string | undefined;
  readonly clear: () => void;
};

export function useChange(): Change {
  const [state, setState] = useState<{ readonly isRunning: boolean; readonly error?: unknown }>({ isRunning: false });
  const isRunning = useRef(false);
  return {
    run: async (work) => {
      if (isRunning.current) return false;
      isRunning.current = true;
      setState({ isRunning: true });
      try {
        await work();
        setState({ isRunning: false });
        return true;
      } catch (error) {
        setState({ isRunning: false, error });
        return false;
      } finally {
        isRunning.current = false;
      }
    },
    isRunning: state.isRunning,
    error: state.error,
    problemOf: (path) => problemOf(state.error, path),
    clear: () => setState({ isRunning: false }),
  };
}

/** What the API says about a member; those below it count, too. */
export function problemOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof FossickError)) return undefined;
  const isBelow = (place: string) => place === path || place.startsWith(`${path}.`) || place.startsWith(`${path}[`);
  return error.problems.find((problem) => isBelow(problem.path))?.message;
}
