import type { AlertSettings, AlertState, ReportedFinding } from '../core/alert-target.ts';
import { isWithin, localTime, minuteOf } from '../core/local-time.ts';
import type { FindingChanges } from './alert-message.ts';

export type Moment = {
  readonly at: number;
  /** Findings that hold now. */
  readonly open: readonly ReportedFinding[];
  /** False while a process has looked too briefly to say that something is over. */
  readonly knowsEnds: boolean;
};

/** In one message, begun and ended each. */
const PER_MESSAGE = 100;
/** Of findings that hold, so many are told one by one; of the others their number. */
const MOST_TOLD = 500;

/**
 * What a target should be told now; undefined: nothing. Quiet hours hold back all but errors that may break through, and
 * what begins and ends in them is never told. That a target itself fails is told to the others.
 */
export function dueChanges(
  target: { readonly id: number; readonly settings: AlertSettings },
  { told }: Pick<AlertState, 'told'>,
  { at, open, knowsEnds }: Moment,
): FindingChanges | undefined {
  const { settings } = target;
  if (!settings.changes) return undefined;
  const wanted = open.filter(
    (finding) => (settings.leastSeverity === 'warning' || finding.severity === 'error') && !isAbout(target.id, finding),
  );
  const isQuiet =
    settings.quietHours !== undefined && isWithin(settings.quietHours, localTime(at, settings.timeZone).minute);
  const known = new Set(told.map(keyOf));
  const holds = new Set(open.map(keyOf));
  const begun = wanted
    .filter((finding) => !known.has(keyOf(finding)))
    .filter(({ severity }) => !isQuiet || (settings.errorsBreakQuiet && severity === 'error'))
    .slice(0, Math.min(PER_MESSAGE, MOST_TOLD - told.length));
  const ended = isQuiet || !knowsEnds ? [] : told.filter((finding) => !holds.has(keyOf(finding))).slice(0, PER_MESSAGE);
  return begun.length === 0 && ended.length === 0 ? undefined : { begun, ended, open: wanted.length };
}

/** What it has been told when it has taken these changes. */
export function reportedAfter(
  told: readonly ReportedFinding[],
  { begun, ended }: FindingChanges,
): readonly ReportedFinding[] {
  const over = new Set(ended.map(keyOf));
  return [...told.filter((finding) => !over.has(keyOf(finding))), ...begun];
}

/** The local day whose digest is due. A target that was never sent one begins with the next. */
export function dueDigest(
  { digestAt, timeZone }: AlertSettings,
  { digestOn }: Pick<AlertState, 'digestOn'>,
  at: number,
) {
  if (digestAt === undefined) return undefined;
  const { day, minute } = localTime(at, timeZone);
  const isLater = minute >= minuteOf(digestAt);
  if (digestOn === undefined) return { day: isLater ? day : '', isSent: false };
  return isLater && digestOn !== day ? { day, isSent: true } : undefined;
}

/** The subject of findings about a target. */
export function targetSubject(targetId: number): string {
  return `alert target ${targetId}`;
}

function isAbout(targetId: number, { subject }: ReportedFinding): boolean {
  return subject === targetSubject(targetId);
}

function keyOf({ name, subject }: ReportedFinding): string {
  return `${name} ${subject}`;
}
