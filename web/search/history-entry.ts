import type { Exchange } from './use-conversation.ts';

/** What the page keeps of one entry of the browser's history; it is gone with the tab, and never leaves it. */
export type EntryMemory = {
  readonly scroll?: number;
  readonly exchanges?: readonly Exchange[];
  /** Set when the address holds only its beginning. */
  readonly query?: string;
};

export function readEntry(): EntryMemory {
  return typeof history.state === 'object' && history.state !== null ? history.state : {};
}

export function changeEntry(change: EntryMemory): void {
  history.replaceState({ ...readEntry(), ...change }, '');
}
