import type { Reason } from '../core/crawl-words.ts';
import { urlPattern } from '../core/url.ts';
import type { Run } from '../storage/engine/runs.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import type { StoredHold } from '../storage/system/host-holds.ts';
import { type OwnHold, ownHoldCause } from './rules/host-health.ts';
import { REASON_TEXTS } from './rules/reasons.ts';
import { isOpen, type WindowOf } from './rules/schedule.ts';

/** Who could work on a crawler now. */
export type WorkOn = (store: Pick<EngineStore, 'listLanes'>, crawlerId: number) => Promise<WorkFacts>;

/** `hasSlots`: whether host slots can be asked for, which needs Redis. */
export function createWorkOn(deps: { readonly hasSlots: () => boolean }): WorkOn {
  return async (store, crawlerId) => {
    const lanes = await store.listLanes(crawlerId);
    return { hasSlots: deps.hasSlots(), hasWorker: lanes.some(({ isHeld }) => isHeld) };
  };
}

/** What keeps something from being visited, the strongest first. */
export const WAIT_CAUSES = [
  'inactive',
  'run-paused',
  'host-held',
  'family-held',
  'robots-unreachable',
  'start-probe',
  'window-closed',
  'try-again',
  'under-way',
  'no-slots',
  'no-worker',
  'its-turn',
] as const;
export type WaitCause = (typeof WAIT_CAUSES)[number];

/** A process takes up what is due within that time. */
const FIND_WORKER_MS = 30_000;

/** Why a URL, or a host as a whole, is not visited at this moment. */
export type Wait = {
  readonly cause: WaitCause;
  readonly reason: Reason;
  /** Until when, as far as it is known. */
  readonly until: number | undefined;
  /** One sentence for the operator, and what he can do about it; null: nothing is needed. */
  readonly sentence: string;
  readonly advice: string | null;
  /** The hold that it waits for; another crawler may have caused it. */
  readonly hold: StoredHold | undefined;
};

export type WaitFacts = {
  readonly now: number;
  readonly crawler: { readonly id: number; readonly active: boolean };
  readonly window: WindowOf;
  /** The run that it belongs to; for a host that of any of its rows. */
  readonly run: Pick<Run, 'state'> | undefined;
  /** URLs that were queued heed neither the window nor the look at a host before a run. */
  readonly isQueued: boolean;
  /** Undefined: the host as a whole. */
  readonly url: string | undefined;
  /** When it is due, or the earliest of its URLs; `isLeased`: somebody has taken it. */
  readonly dueAt: number;
  readonly isLeased: boolean;
  /** What the crawler alone leaves the host for. */
  readonly host: OwnHold | undefined;
  /** Holds of the host for all crawlers. */
  readonly holds: readonly StoredHold[];
  readonly work: WorkFacts;
};

/** Who could work: `hasSlots`: host slots can be asked for; `hasWorker`: a process works on the crawler. */
type WorkFacts = { readonly hasSlots: boolean; readonly hasWorker: boolean };

/**
 * Why something that waits is not visited now. The only place that says so: explanations, the status of a crawler, its
 * hosts and the metric of hosts that stand still ask here, so that they cannot differ.
 */
export function whyNotNow(facts: WaitFacts): Wait {
  const { now, crawler, run, window, isQueued, dueAt, isLeased, work } = facts;
  const ofHost = facts.holds.find(({ urlTemplate, until }) => urlTemplate === '' && until > now);
  const ofUrlTemplate = facts.url === undefined ? undefined : urlTemplateHold(facts, facts.url);
  if (!crawler.active) return wait('inactive', 'inactive', { text: REASON_TEXTS.inactive });
  if (run?.state === 'paused') return wait('run-paused', 'stopped', { text: PAUSED });
  if (ofHost !== undefined) return heldBy('host-held', ofHost, facts);
  if (ofUrlTemplate !== undefined) return heldBy('family-held', ofUrlTemplate, facts);
  return (
    ownHold(facts) ??
    (!isQueued && !isOpen(window, now) ? wait('window-closed', 'none', { text: CLOSED }) : undefined) ??
    (dueAt > now ? wait('try-again', 'none', { text: LATER, until: dueAt }) : undefined) ??
    (isLeased ? wait('under-way', 'none', { text: UNDER_WAY }) : undefined) ??
    (work.hasSlots ? undefined : wait('no-slots', 'no-slot', { text: NO_SLOTS })) ??
    (work.hasWorker || now - dueAt < FIND_WORKER_MS ? undefined : wait('no-worker', 'none', { text: NO_WORKER })) ??
    wait('its-turn', 'none', { text: NEXT_IN_LINE })
  );
}

/** A hold keeps it, whoever caused it. */
export function isHeld({ cause }: Wait): boolean {
  return HELD.has(cause);
}

const HELD: ReadonlySet<WaitCause> = new Set(['host-held', 'family-held', 'robots-unreachable', 'start-probe']);

type Text = { readonly cause: string; readonly advice: string | null };

const PAUSED: Text = { cause: 'Its run is paused.', advice: 'Let it go on: fossick crawler resume.' };
const CLOSED: Text = {
  cause: 'The window of the crawler is closed.',
  advice: 'Change `window` if it shall go on now.',
};
const LATER: Text = { cause: 'It is tried again then.', advice: null };
const UNDER_WAY: Text = { cause: 'It is being visited.', advice: null };
const NO_SLOTS: Text = { cause: 'Redis cannot be asked for the right to fetch.', advice: 'See: fossick ps.' };
const NO_WORKER: Text = { cause: 'No process works on the crawler.', advice: 'See: fossick ps.' };
const NEXT_IN_LINE: Text = { cause: 'It waits for its turn.', advice: null };

function wait(
  cause: WaitCause,
  reason: Reason,
  { text, until, hold }: { readonly text: Text; readonly until?: number; readonly hold?: StoredHold },
): Wait {
  return { cause, reason, until, sentence: text.cause, advice: text.advice, hold };
}

function urlTemplateHold({ holds, now }: WaitFacts, url: string): StoredHold | undefined {
  const pattern = urlPattern(url);
  return holds.find(({ urlTemplate, until }) => urlTemplate === pattern && until > now);
}

function heldBy(cause: WaitCause, hold: StoredHold, { crawler, now }: WaitFacts): Wait {
  const { reason, until, crawlerId, urls, askedUntil, urlTemplate } = hold;
  const by = crawlerId === crawler.id ? '' : ` of crawler ${crawlerId}`;
  const what = urlTemplate === '' ? 'The host' : `URLs like ${urlTemplate}`;
  const requestNote =
    askedUntil === undefined || askedUntil <= now ? '' : `, although it asks for ${spanOf(askedUntil - now)}`;
  const sentence = `${what} is left alone, because a visit${by} to ${urls.at(-1) ?? hold.origin} met: ${REASON_TEXTS[reason].cause} It is asked again after that time${requestNote}.`;
  const advice = `Ask at once: fossick crawler release-host ${crawler.id} ${hold.origin}`;
  return wait(cause, reason, { text: { cause: sentence, advice }, until, hold });
}

function spanOf(ms: number): string {
  const hours = ms / 3_600_000;
  return hours < 48 ? `${Math.ceil(hours)} h` : `${Math.ceil(hours / 24)} days`;
}

function ownHold({ host, now, isQueued }: WaitFacts): Wait | undefined {
  if (host === undefined || host.heldUntil <= now) return undefined;
  const isProbe = host.holdReason === 'start-probe';
  if (isProbe && isQueued) return undefined;
  const reason = ownHoldCause(host);
  const text = REASON_TEXTS[reason];
  return wait(isProbe ? 'start-probe' : 'robots-unreachable', reason, { text, until: host.heldUntil });
}
