import { useEffect, useRef, useState } from 'preact/hooks';
import { FossickError } from '../../../../packages/client/src/fossick-error.ts';
import { useAdmin } from '../../client/client-context.ts';
import { readEvents } from '../../client/read-events.ts';
import type { ErrorBody, SiteProbe } from '../../generated-types.ts';

export type CrawlSettings = Readonly<Record<string, unknown>>;

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly steps: readonly string[] }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'found'; readonly site: SiteProbe; readonly settings: CrawlSettings };

/** Looks at a site before anything is stored. One look at a time: a new one ends the one before. */
export function useProbe() {
  const client = useAdmin();
  const [state, setState] = useState<State>({ kind: 'none' });
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const look = async (url: string, settings: CrawlSettings, signal: AbortSignal) => {
    const steps: string[] = [];
    for await (const { event, data } of readEvents(client, '/probe', { signal, body: { url, settings } })) {
      const body = JSON.parse(data);
      if (event === 'error') throw asError(body);
      if (event === 'result') return setState({ kind: 'found', site: body, settings });
      steps.push(body.sentence);
      setState({ kind: 'running', steps: [...steps] });
    }
    throw new FossickError('The look broke off', { status: 0, errorCode: 'connection.failed' });
  };
  const cancel = () => {
    running.current?.abort();
    setState({ kind: 'none' });
  };
  return {
    state,
    cancel,
    start: (url: string, settings: CrawlSettings = {}) => {
      running.current?.abort();
      const current = new AbortController();
      running.current = current;
      setState({ kind: 'running', steps: [] });
      look(url, settings, current.signal).catch((error: unknown) => {
        if (!current.signal.aborted) setState({ kind: 'failed', error });
      });
    },
    problemOf: (path: string) => {
      if (state.kind !== 'failed' || !(state.error instanceof FossickError)) return undefined;
      return state.error.problems.find((problem) => problem.path === path)?.message;
    },
  };
}

function asError({ message, code, errorCode, requestId, errors }: ErrorBody): FossickError {
  return new FossickError(message, { status: code, errorCode, requestId, problems: errors ?? [] });
}
