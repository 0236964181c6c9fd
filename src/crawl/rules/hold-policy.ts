import type { Reason } from '../../core/crawl-words.ts';
import { urlPattern } from '../../core/url.ts';
import type { HoldKey, HostHold } from '../../storage/system/host-holds.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** First holds of a host (crawling 12, 14; reliability 4). */
const FIRST_HOLD_MS = { 'dns-not-found': 5 * MINUTE, 'rate-limited': MINUTE, 'host-held': MINUTE } as const;
export type HeldReason = keyof typeof FIRST_HOLD_MS;

/** Holds double up to this; what a host asks for is kept up to a day, once a second answer has confirmed it. */
const LONGEST_MS = 6 * HOUR;
const LONGEST_ASKED_MS = 24 * HOUR;
/** A hold that no second answer has confirmed ends then with one fetch that looks whether it still holds. */
export const UNCONFIRMED_MS = HOUR;
/** A URL template of which one URL has answered badly is asked for another of its URLs then. */
const ONE_URL_MS = 30 * SECOND;
/** Bad answers in a row after which the whole host is held: of so many URLs, or of so many URL templates. */
const HOST_URLS = 3;
const HOST_URL_TEMPLATES = 2;
const RETAINED_URLS = 20;

/** A bad answer of a host: what a visit met, and until when the host asked to be left alone. */
export type BadAnswer = {
  readonly origin: string;
  readonly url: string;
  readonly reason: HeldReason;
  /** What the last of ten failures in a row met; undefined where `reason` says it, or it is not known. */
  readonly met?: Reason | undefined;
  readonly askedMs: number | undefined;
  readonly now: number;
  readonly crawlerId: number;
  readonly configVersion: number;
};

export type HoldChange = { readonly put: readonly HostHold[]; readonly drop: readonly HoldKey[] };

/** How long something is left alone after `holds` in a row, from `firstMs` doubling to 6 h. */
export function holdMs(firstMs: number, holds: number): number {
  return Math.min(firstMs * 2 ** Math.min(holds, 20), LONGEST_MS);
}

/** How long a URL waits that was asked to: at least as long as it says, twice as long each time, an hour at most. */
export function rateLimitedMs(askedMs: number | undefined, attempts: number): number {
  const doubled = holdMs(askedMs ?? FIRST_HOLD_MS['rate-limited'], attempts);
  return Math.min(Math.max(askedMs ?? 0, doubled), UNCONFIRMED_MS);
}

/**
 * What a bad answer holds, given the holds of its host. A name that does not exist and ten failures in a row hold the
 * host; a URL that was asked to wait holds its URL template, and the host when a second URL template or a third URL answers so
 * with no good answer in between. A URL among others that answer well holds nothing but itself.
 */
export function holdsAfter(known: readonly HostHold[], answer: BadAnswer): HoldChange {
  if (answer.reason !== 'rate-limited') return { put: [hostHold(known, answer)], drop: [] };
  const name = urlPattern(answer.url);
  const urlTemplate = urlTemplateHold(
    known.find((hold) => hold.urlTemplate === name),
    answer,
    name,
  );
  const urlTemplates = [...known.filter((hold) => hold.urlTemplate !== '' && hold.urlTemplate !== name), urlTemplate];
  const suspected = urlTemplates.filter(({ hostSuspects }) => hostSuspects > 0);
  const urls = suspected.reduce((count, { hostSuspects }) => count + hostSuspects, 0);
  const isHost = suspected.includes(urlTemplate) && (suspected.length >= HOST_URL_TEMPLATES || urls >= HOST_URLS);
  return { put: isHost ? [urlTemplate, hostHold(known, answer)] : [urlTemplate], drop: [] };
}

/** What a good answer of a URL refutes or narrows. Changes nothing for most answers of a host with holds. */
export function holdsAfterGood(known: readonly HostHold[], { url, now }: { url: string; now: number }): HoldChange {
  const name = urlPattern(url);
  const put: HostHold[] = [];
  const drop: HoldKey[] = [];
  for (const hold of known) {
    const { origin, urlTemplate, until } = hold;
    // What was under way when a hold began says nothing of it.
    if ((urlTemplate === '' || urlTemplate === name) && until > now) continue;
    const urls = urlTemplate === name ? hold.urls.filter((held) => held !== url) : hold.urls;
    const urlTemplateSuspects = urlTemplate === name ? 0 : hold.urlTemplateSuspects;
    if (urlTemplate === '' || urls.length === 0) drop.push({ origin, urlTemplate });
    else if (hold.hostSuspects + hold.urlTemplateSuspects > urlTemplateSuspects || urls.length < hold.urls.length) {
      put.push({ ...hold, urls, urlTemplateSuspects, hostSuspects: 0 });
    }
  }
  return { put, drop };
}

function urlTemplateHold(before: HostHold | undefined, answer: BadAnswer, urlTemplate: string): HostHold {
  const { url, now } = answer;
  const isKnown = before?.urls.includes(url) === true;
  const urls = isKnown ? before.urls : [...(before?.urls ?? []), url].slice(-RETAINED_URLS);
  const urlTemplateSuspects = (before?.urlTemplateSuspects ?? 0) + (isKnown ? 0 : 1);
  const hostSuspects = (before?.hostSuspects ?? 0) + (isKnown ? 0 : 1);
  // One URL alone says little: a second one begins the hold that a third may confirm.
  const length = lengthOf(before === undefined || before.urlTemplateSuspects < 2 ? undefined : before, answer);
  const capMs = urlTemplateSuspects === 1 ? ONE_URL_MS : length.capMs;
  // The others of the URL template answer well.
  const untilAt = urlTemplateSuspects === 0 ? now : now + Math.min(length.wantedMs, capMs);
  return { ...heldBy(answer, { before, untilAt, length }), urlTemplate, urls, urlTemplateSuspects, hostSuspects };
}

function hostHold(known: readonly HostHold[], answer: BadAnswer): HostHold {
  const before = known.find(({ urlTemplate }) => urlTemplate === '');
  const length = lengthOf(before, answer);
  const urls = [...(before?.urls ?? []).filter((held) => held !== answer.url), answer.url].slice(-RETAINED_URLS);
  const untilAt = answer.now + Math.min(length.wantedMs, length.capMs);
  return {
    ...heldBy(answer, { before, untilAt, length }),
    urlTemplate: '',
    urls,
    urlTemplateSuspects: 0,
    hostSuspects: 0,
  };
}

type Length = {
  readonly times: number;
  readonly confirmed: boolean;
  readonly wantedMs: number;
  readonly capMs: number;
};

/** What was under way when a hold began prolongs nothing; an answer after its end confirms and doubles it. */
function lengthOf(before: HostHold | undefined, { reason, askedMs, now }: BadAnswer): Length {
  const isInForce = before !== undefined && before.until > now;
  const times = before === undefined ? 1 : before.times + (isInForce ? 0 : 1);
  const confirmed = before !== undefined && (before.confirmed || !isInForce);
  const wantedMs = Math.max(askedMs ?? 0, holdMs(askedMs ?? FIRST_HOLD_MS[reason], times - 1));
  return { times, confirmed, wantedMs, capMs: confirmed ? LONGEST_ASKED_MS : UNCONFIRMED_MS };
}

type HoldReasonOf = { readonly before: HostHold | undefined; readonly untilAt: number; readonly length: Length };

function heldBy(
  { origin, reason, met, now, askedMs, crawlerId, configVersion }: BadAnswer,
  { before, untilAt, length }: HoldReasonOf,
): Omit<HostHold, 'urlTemplate' | 'urls' | 'urlTemplateSuspects' | 'hostSuspects'> {
  const until = Math.max(before?.until ?? 0, untilAt);
  const askedUntil = askedMs === undefined || now + askedMs <= until ? undefined : now + askedMs;
  const { times, confirmed } = length;
  return {
    origin,
    reason: met ?? reason,
    since: before?.since ?? now,
    until,
    askedUntil,
    times,
    confirmed,
    crawlerId,
    configVersion,
  };
}
