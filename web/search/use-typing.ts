import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { CompleteClient, Completions } from '../client/complete-client.ts';

/** Rest after the last key before completions are asked for: shorter than what is felt, and than most gaps between keys. */
const PAUSE_MS = 40;
/** Rest after which what was typed is searched without Enter: longer than a look at the completions. */
const REST_MS = 1_200;

/** What stands in the box and was not searched yet, with the newest completions that have come, of this text or the one before. */
export type Typing = { readonly text: string; readonly completions: Completions | undefined };

/**
 * What is offered while somebody types: one request per pause, and `onRest` with a text that was left standing. `end`
 * when the text was searched, or is empty.
 */
export function useTyping(complete: CompleteClient, onRest: (text: string) => void) {
  const [typing, setTyping] = useState<Typing>();
  const timers = useRef<readonly ReturnType<typeof setTimeout>[]>([]);
  const rest = useRef(onRest);
  rest.current = onRest;
  const text = typing?.text.trim() ?? '';

  const stop = useCallback(() => timers.current.forEach(clearTimeout), []);
  const end = useCallback(() => {
    stop();
    setTyping(undefined);
  }, [stop]);
  const type = useCallback(
    (value: string) => setTyping((last) => ({ text: value, completions: last?.completions })),
    [],
  );

  useEffect(() => {
    if (text === '') return;
    const abort = new AbortController();
    const show = (completions: Completions | undefined) => {
      if (!abort.signal.aborted) setTyping((last) => last && { ...last, completions });
    };
    const ask = () => complete(text, abort.signal).then(show, () => show(undefined));
    timers.current = [setTimeout(ask, PAUSE_MS), setTimeout(() => rest.current(text), REST_MS)];
    return () => {
      stop();
      abort.abort();
    };
  }, [complete, text, stop]);
  return { typing, type, end };
}
