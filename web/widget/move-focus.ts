const STOPS = 'a[href], button:not(:disabled), input:not(:disabled)';

/**
 * Arrows go from the box through everything that can be followed, and around; a letter goes on in the box. The focus
 * itself moves, so that a link is followed, copied or opened in a new tab as anywhere. True when the key was taken.
 */
export function moveFocus(event: KeyboardEvent, box: HTMLInputElement, panel: HTMLElement): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const { target, key } = event;
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const stops = [box, ...panel.querySelectorAll<HTMLElement>(STOPS)];
    const from = stops.indexOf(target as HTMLElement);
    if (from < 0 || stops.length < 2) return false;
    const next = stops.at((from + (key === 'ArrowDown' ? 1 : -1)) % stops.length);
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
    return true;
  }
  // Not prevented: the key itself goes to the box.
  if (!(target instanceof HTMLInputElement) && panel.contains(target as Node) && /^(\S|Backspace)$/u.test(key))
    box.focus();
  return false;
}
