import type { UrlRecord, Visit } from '../../generated-types.ts';
import type { Tone } from '../../parts/status-pill.tsx';

type UrlState = { readonly label: string; readonly tone: Tone };

export const URL_STATES: Readonly<Record<UrlRecord['state'], UrlState>> = {
  live: { label: 'Searchable', tone: 'good' },
  known: { label: 'Not visited yet', tone: 'idle' },
  alias: { label: 'Other address of a page', tone: 'idle' },
  duplicate: { label: 'Duplicate', tone: 'idle' },
  suspected: { label: 'May be gone', tone: 'warn' },
  gone: { label: 'Gone', tone: 'idle' },
  skipped: { label: 'Left out', tone: 'idle' },
  failed: { label: 'Failed', tone: 'bad' },
};

export function isUrlState(word: string): word is UrlRecord['state'] {
  return word in URL_STATES;
}

export const OUTCOMES: Readonly<Record<Visit['outcome'], UrlState>> = {
  added: { label: 'Added', tone: 'good' },
  changed: { label: 'Changed', tone: 'good' },
  unchanged: { label: 'Unchanged', tone: 'idle' },
  'not-modified': { label: 'Not modified', tone: 'idle' },
  aliased: { label: 'Other address', tone: 'idle' },
  skipped: { label: 'Left out', tone: 'idle' },
  suspected: { label: 'May be gone', tone: 'warn' },
  removed: { label: 'Removed', tone: 'warn' },
  failed: { label: 'Failed', tone: 'bad' },
  deferred: { label: 'Later', tone: 'idle' },
  discarded: { label: 'Discarded', tone: 'idle' },
  absent: { label: 'Not there', tone: 'idle' },
};
