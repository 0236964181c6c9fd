import { useEffect, useState } from 'preact/hooks';
import type { CompleteClient } from '../client/complete-client.ts';

/** Rest after a keystroke: completions should stand there before the next thought, but not between two keys. */
const TYPING_PAUSE_MS = 80;

const NONE: readonly string[] = [];

/** Completions of what was typed, without the text itself; those of the text before stay until they come. */
export function useCompletions(complete: CompleteClient, typed: string): readonly string[] {
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    const query = typed.trim();
    if (query === '') {
      setFound(NONE);
      return;
    }
    const abort = new AbortController();
    const show = (texts: readonly string[]) => {
      const others = texts.filter((text) => text.toLowerCase() !== query.toLowerCase());
      if (!abort.signal.aborted) setFound(others);
    };
    const timer = setTimeout(() => {
      complete(query, abort.signal).then(show, () => show(NONE));
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [complete, typed]);
  return found;
}
