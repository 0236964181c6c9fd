import { unavailable } from './failure.ts';

export type Deadline = Disposable & {
  /** Aborted with a `fetch.unavailable` of reason `timeout`, or `shutdown` when the caller's signal was first. */
  readonly signal: AbortSignal;
  /** From now on the longer time of a file holds. */
  extend(): void;
};

/** Time limit of a whole fetch, counted from now. */
export function startDeadline(
  caller: AbortSignal,
  times: { readonly pageMs: number; readonly fileMs: number },
): Deadline {
  const controller = new AbortController();
  const page = AbortSignal.timeout(times.pageMs);
  const file = AbortSignal.timeout(times.fileMs);
  const onTimeout = () => controller.abort(unavailable('timeout'));
  const onCaller = () => controller.abort(unavailable('shutdown', caller.reason));
  page.addEventListener('abort', onTimeout);
  file.addEventListener('abort', onTimeout);
  caller.addEventListener('abort', onCaller);
  if (caller.aborted) onCaller();
  return {
    signal: controller.signal,
    extend: () => page.removeEventListener('abort', onTimeout),
    [Symbol.dispose]() {
      page.removeEventListener('abort', onTimeout);
      file.removeEventListener('abort', onTimeout);
      caller.removeEventListener('abort', onCaller);
    },
  };
}
