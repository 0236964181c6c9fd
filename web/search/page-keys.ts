import { useEffect } from 'preact/hooks';

const BOX = '#query';
/** Titles and sections of hits, in their order. */
const HITS = '.results a[href]';

/** `/` and Ctrl-K (⌘K) lead to the search box; the arrows go from it through the hits and back. */
export function usePageKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const target = wantedTarget(event);
      if (target === null) return;
      event.preventDefault();
      target.focus();
      if (target instanceof HTMLInputElement) target.select();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

function wantedTarget(event: KeyboardEvent): HTMLElement | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  const box = document.querySelector<HTMLElement>(BOX);
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey) return box;
  if (ctrlKey || metaKey || altKey || shiftKey || !(target instanceof HTMLElement)) return null;
  if (key === '/') return isEditable(target) ? null : box;
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !(target === box || target.matches(HITS))) return null;
  const places = [box, ...document.querySelectorAll<HTMLElement>(HITS)];
  return places[places.indexOf(target) + step] ?? null;
}

function isEditable(element: HTMLElement): boolean {
  return element.isContentEditable || /^(input|textarea|select)$/i.test(element.tagName);
}
