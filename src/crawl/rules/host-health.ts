import type { Reason } from '../../core/crawl-words.ts';
import type { HostProbe, HostState } from '../../storage/engine/host-content.ts';
import { areSoftAbsencesRare, areSuspicionsRare } from './content-guard.ts';
import { robotsFailure } from './robots.ts';

const MAX_FORBIDDEN_RATIO = 0.2;
const MAX_FAILED_RATIO = 0.5;
/** Answers from which on a share says something. */
const ENOUGH = 5;

/**
 * What an operator should look at: why a host looks down, closed, or not like itself; undefined when it does not.
 * Follows the last 50 answers, so that it passes with them.
 */
export function hostConcern(host: Pick<HostState, 'health'> & OwnHold, now: number): Reason | undefined {
  const { health, content } = host;
  if (content.probe?.failedSince !== undefined) return probeCause(content.probe);
  if (host.holdReason !== undefined && host.heldUntil > now) return ownHoldCause(host);
  if (!areSuspicionsRare(health)) return countOf(health, 'l') > countOf(health, 'i') ? 'login-wall' : 'identical-pages';
  if (!areSoftAbsencesRare(health)) return 'soft-404';
  if (isShareOver(health, 'w', MAX_FORBIDDEN_RATIO)) return 'robot-wall';
  if (isShareOver(health, 'x', MAX_FORBIDDEN_RATIO)) return 'forbidden';
  return isShareOver(health, 'f', MAX_FAILED_RATIO) ? 'server-error' : undefined;
}

/** What a crawler alone leaves a host for, and what it met there. */
export type OwnHold = Pick<HostState, 'content' | 'holdReason' | 'heldUntil' | 'robotsStatus'>;

/** What a crawler met that leaves a host alone by itself; its hold says only where. */
export function ownHoldCause({ holdReason, content, robotsStatus }: OwnHold): Reason {
  if (holdReason === 'start-probe') return probeCause(content.probe);
  const unread = robotsStatus === undefined ? undefined : robotsFailure(robotsStatus);
  return unread ?? holdReason ?? 'robots-unreachable';
}

function probeCause(probe: HostProbe | undefined): Reason {
  return probe?.cause ?? 'start-probe';
}

function isShareOver(answers: string, letter: string, ratio: number): boolean {
  return answers.length >= ENOUGH && countOf(answers, letter) > answers.length * ratio;
}

function countOf(answers: string, letter: string): number {
  return answers.split(letter).length - 1;
}

const RECENT = 20;
const MIN_GOOD_RATIO = 0.8;
const MAX_MISSING_RATIO = 0.3;
/** A site of a few pages may lose that many without being called ill. */
const FEW = 3;
/** Answers of `Host.health` that tell of an ill host: failures, refusals, pages that look wrong. */
const ILL = /[fxsilw]/g;

/**
 * May a missing page be believed: at least 80 % of the host's last 20 answers were good, and under 30 % of the last
 * 50 were 404 or 410. `answers` is `Host.health`. A short history of only good and few missing answers counts as
 * healthy. (reliability 11)
 */
export function isHealthy(answers: string): boolean {
  const recent = answers.slice(-RECENT);
  const missing = countOf(answers, 'm');
  if (missing <= FEW) return (recent.match(ILL)?.length ?? 0) <= recent.length * (1 - MIN_GOOD_RATIO);
  const good = countOf(recent, 'g') + countOf(recent, 'd');
  return good >= recent.length * MIN_GOOD_RATIO && missing < answers.length * MAX_MISSING_RATIO;
}

/** May a page that asks not to be indexed be believed: fewer than 30 % of the host's last 50 answers ask so. */
export function areDirectivesBelieved(answers: string): boolean {
  return isFewOf(answers, countOf(answers, 'd'), MAX_MISSING_RATIO);
}

function isFewOf(answers: string, count: number, ratio: number): boolean {
  return count <= FEW || count < answers.length * ratio;
}
