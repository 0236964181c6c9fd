import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useAdmin } from './client-context.ts';

export type Loaded<Body> = {
  /** The newest answer; it stays while the next is loaded, also when that fails. */
  readonly answer: Body | undefined;
  readonly etag: string | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

type State<Body> = {
  readonly path: string | undefined;
  readonly answer?: Body;
  readonly etag?: string | undefined;
  readonly error?: unknown;
  readonly isLoading: boolean;
};

type Options<Body> = {
  /** Asked again so long after each answer. */
  readonly everyMs?: number | ((answer: Body) => number | undefined) | undefined;
  /** What is asked, where the question is sent as a body (POST) that changes nothing. */
  readonly body?: unknown;
};

/** What is at `path` (with its query); `undefined` asks nothing. */
export function useAnswer<Body>(path: string | undefined, { everyMs, body: question }: Options<Body> = {}) {
  const client = useAdmin();
  const [state, setState] = useState<State<Body>>({ path, isLoading: path !== undefined });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  const everyRef = useRef(everyMs);
  everyRef.current = everyMs;
  const asked = question === undefined ? undefined : JSON.stringify(question);

  useEffect(() => {
    if (path === undefined) return;
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last: Body | undefined;
    const ask = async () => {
      try {
        const { signal } = leave;
        const { body, etag } = await (asked === undefined
          ? client.get<Body>(path, { signal })
          : client.post<Body>(path, { body: JSON.parse(asked), signal }));
        last = body;
        setState({ path, answer: body, etag, isLoading: false });
      } catch (error) {
        if (leave.signal.aborted) return;
        setState((state) => ({ ...(state.path === path ? state : { path }), error, isLoading: false }));
      }
      const ms = waitAfter(everyRef.current, last);
      if (ms !== undefined && !leave.signal.aborted) timer = setTimeout(askWhenSeen, ms);
    };
    // A page in the background asks nothing.
    const askWhenSeen = () => {
      if (document.visibilityState === 'visible') void ask();
      else document.addEventListener('visibilitychange', askWhenSeen, { once: true, signal: leave.signal });
    };
    setState((last) => (last.path === path ? { ...last, isLoading: true } : { path, isLoading: true }));
    void ask();
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [client, path, asked, round]);

  const isOfPath = state.path === path;
  return {
    answer: isOfPath ? state.answer : undefined,
    etag: isOfPath ? state.etag : undefined,
    error: isOfPath ? state.error : undefined,
    isLoading: isOfPath ? state.isLoading : path !== undefined,
    reload,
  } satisfies Loaded<Body>;
}

/** After a failure without any answer before it, a page waits as long as people do. */
const UNKNOWN_MS = 10_000;

function waitAfter<Body>(everyMs: Options<Body>['everyMs'], last: Body | undefined): number | undefined {
  if (typeof everyMs !== 'function') return everyMs;
  return last === undefined ? UNKNOWN_MS : everyMs(last);
}
