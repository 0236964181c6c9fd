import { REASONS, URL_STATES } from '../../core/crawl-words.ts';

/** State and reason of a new URL that waits, and of one that is refused as a trap. */
export const FRESH = { state: URL_STATES.indexOf('known'), reason: REASONS.indexOf('none') };
export const REFUSED = { state: URL_STATES.indexOf('skipped'), reason: REASONS.indexOf('trap') };
