import type { Reason } from '../../core/crawl-words.ts';
import type { HostState } from '../../storage/host-content-store.ts';
import { areSoftAbsencesRare, areSuspicionsRare } from './content-guard.ts';

const MAX_FORBIDDEN_RATIO = 0.2;
const MAX_FAILED_RATIO = 0.5;
/** Answers from which on a share says something. */
const ENOUGH = 5;

/**
 * What an operator should look at: why a host looks down, closed, or not like itself; undefined when it does not.
 * Follows the last 50 answers, so that it passes with them.
 */
export function hostConcern(
  host: Pick<HostState, 'health' | 'content' | 'holdReason' | 'heldUntil'>,
  now: number,
): Reason | undefined {
  const { health, content } = host;
  if (content.probe?.failedSince !== undefined) return 'start-probe';
  if (host.holdReason !== undefined && host.heldUntil > now) return host.holdReason;
  if (!areSuspicionsRare(health)) return countOf(health, 'l') > countOf(health, 'i') ? 'login-wall' : 'identical-pages';
  if (!areSoftAbsencesRare(health)) return 'soft-404';
  if (isShareOver(health, 'x', MAX_FORBIDDEN_RATIO)) return 'forbidden';
  return isShareOver(health, 'f', MAX_FAILED_RATIO) ? 'server-error' : undefined;
}

function isShareOver(answers: string, letter: string, ratio: number): boolean {
  return answers.length >= ENOUGH && countOf(answers, letter) > answers.length * ratio;
}

function countOf(answers: string, letter: string): number {
  return answers.split(letter).length - 1;
}
