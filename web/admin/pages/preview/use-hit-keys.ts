import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { PreviewHit } from '../../client/tool-types.ts';
import type { QueryTools } from './use-query-tools.ts';

type Keys = {
  readonly list: RefObject<HTMLOListElement | null>;
  readonly tools: QueryTools;
  readonly onWhy: (hit: PreviewHit) => void;
  readonly onSave: () => void;
  readonly onAdd: () => void;
  readonly onHelp: () => void;
};

/** The keys of the page, wherever nothing is typed. The hit they are about is the one that has the focus. */
export function useHitKeys(keys: Keys): void {
  const newest = useRef(keys);
  newest.current = keys;
  const current = useRef<string | undefined>(undefined);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      if (press(newest.current, event.key)) event.preventDefault();
    };
    const onFocus = (event: FocusEvent) => {
      current.current = hitElementOf(event.target)?.dataset['document'] ?? current.current;
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('focusin', onFocus);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('focusin', onFocus);
    };
  }, []);
  const { answer } = keys.tools.preview;
  // Whoever moves a hit goes with it: its row stands elsewhere in the list afterwards.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body || current.current === undefined) return;
    const rows = rowsOf(keys.list);
    const row = rows.find((one) => one.dataset['document'] === current.current);
    if (row !== undefined) focusRow(row);
  }, [answer]);
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}

function hitElementOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('li.hit') : null;
}

function rowsOf(list: RefObject<HTMLOListElement | null>): readonly HTMLElement[] {
  return [...(list.current?.querySelectorAll<HTMLElement>('li.hit') ?? [])];
}

function focusRow(row: HTMLElement): void {
  (row.querySelector<HTMLElement>('.hit-title a') ?? row.querySelector<HTMLElement>('a, button, input'))?.focus();
}

/** Whether the key does something here. */
function press(keys: Keys, key: string): boolean {
  const rows = rowsOf(keys.list);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const step = { j: 1, k: -1 }[key];
  if (step !== undefined) {
    const row = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
    if (row !== undefined) focusRow(row);
    return true;
  }
  const ofPage = { s: keys.onSave, a: keys.onAdd, '?': keys.onHelp, z: keys.tools.drafts.undo }[key];
  if (ofPage !== undefined) {
    ofPage();
    return true;
  }
  const hit = keys.tools.preview.answer?.hits.find(({ documentId }) => documentId === rows[at]?.dataset['document']);
  return hit !== undefined && pressOnHit(keys, hit, key);
}

function pressOnHit({ tools, onWhy }: Keys, hit: PreviewHit, key: string): boolean {
  if (key === 'w') {
    onWhy(hit);
    return true;
  }
  if (!tools.canPin) return false;
  const isOwnPin = tools.pins.some(({ documentId, place }) => documentId === hit.documentId && place !== null);
  const acts: Readonly<Record<string, () => void>> = {
    p: () => (isOwnPin ? tools.edit.release(hit) : tools.edit.pin(hit, hit.place)),
    u: () => tools.edit.move(hit, -1),
    d: () => tools.edit.move(hit, 1),
    h: () => tools.edit.hide(hit),
  };
  const act = /^[1-9]$/.test(key) ? () => tools.edit.pin(hit, Number(key)) : acts[key];
  act?.();
  return act !== undefined;
}
