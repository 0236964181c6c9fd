import { useRef } from 'preact/hooks';
import { FossickError } from '../../../packages/client/src/fossick-error.ts';
import { useToast } from './toasts.tsx';

type Action<T> = {
  readonly work: () => Promise<T>;
  /** What is told when it is done. */
  readonly done: string | ((result: T) => string);
  /** Takes it back. */
  readonly undo?: (() => Promise<unknown>) | undefined;
};

/** Does what one button asks for, once at a time, and tells how it went; `after` shows the new state. */
export function useAction(after: () => void): <T>(action: Action<T>) => Promise<void> {
  const toast = useToast();
  const isRunning = useRef(false);
  return async ({ work, done, undo }) => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      const result = await work();
      toast({ text: typeof done === 'string' ? done : done(result), undo: undo && (() => undo().finally(after)) });
    } catch (error) {
      toast({ text: messageOf(error) });
    } finally {
      isRunning.current = false;
      after();
    }
  };
}

function messageOf(error: unknown): string {
  if (!(error instanceof FossickError)) return `The page has a fault: ${String(error)}`;
  if (error.errorCode === 'connection.failed') return 'The connection is lost: try again';
  return error.message;
}
