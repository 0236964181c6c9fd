import { useState } from 'preact/hooks';
import { type Draft, NO_DRAFT } from './draft.ts';

const MAX_STEPS = 50;

/** The unsaved tools of a query. They outlive the page: who comes back to the query in this tab finds them. */
export function useDraft(engineId: string, query: string) {
  const place = `fossick-draft ${engineId} ${query}`;
  const [steps, setSteps] = useState<readonly Draft[]>(() => [readDraft(place)]);
  const draft = steps.at(-1) ?? NO_DRAFT;
  const keep = (next: readonly Draft[]) => {
    const newest = next.at(-1) ?? NO_DRAFT;
    if (newest === NO_DRAFT) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(newest));
    setSteps(next);
  };
  return {
    draft,
    change: (next: Partial<Draft>) => keep([...steps.slice(-MAX_STEPS), { ...draft, ...next }]),
    /** The draft as it was before the last change; undefined: there was none. */
    undo: steps.length > 1 ? () => keep(steps.slice(0, -1)) : undefined,
    /** What is left when the rest is saved or dropped. */
    reset: (left: Draft = NO_DRAFT) => keep([left]),
  };
}

export type DraftState = ReturnType<typeof useDraft>;

function readDraft(place: string): Draft {
  const kept = sessionStorage.getItem(place);
  return kept === null ? NO_DRAFT : JSON.parse(kept);
}
