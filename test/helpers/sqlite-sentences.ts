import { test } from 'vitest';
import { adapterName } from './store-adapter.ts';

/** What can be said of files only: the other adapters have no such test. docs/scaling.md lists them. */
export const SQLITE_SENTENCES = [
  'a store that is made anew in the place of another is another one',
  'a store that was taken back and written to again has other marks at the same seq',
] as const;

/** A test of SQLite alone; it stands in the list, so that none is left out unseen. */
export function sqliteTest(sentence: (typeof SQLITE_SENTENCES)[number], work: () => Promise<void>): void {
  if (adapterName === 'sqlite') test(sentence, work);
}
