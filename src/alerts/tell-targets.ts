import type { AlertState, AlertTarget, ReportedFinding } from '../core/alert-target.ts';
import type { Clock } from '../core/clock.ts';
import type { Deliver, OutgoingMessage, Receipt } from '../delivery/deliver.ts';
import { pause } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { AlertStateStore, TakenAlert } from '../storage/system/alert-targets.ts';
import { changesMessage, type DigestFacts, digestMessage } from './alert-message.ts';
import { dueChanges, dueDigest, reportedAfter } from './due-message.ts';

export type AlertDeps = {
  /** Of the environment and of records. */
  readonly targets: () => Promise<readonly AlertTarget[]>;
  readonly deliverTo: (target: AlertTarget) => Promise<Deliver>;
  readonly store: AlertStateStore;
  readonly digestFacts: () => Promise<Omit<DigestFacts, 'findings'>>;
  /** Whether this is the process of the installation that sends alerts. */
  readonly isSpeaker: () => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  /** How to tell this installation from others: its public address. */
  readonly installation: string;
  /** Pauses between attempts; their number is that of further attempts. */
  readonly retryAfterMs?: readonly number[];
};

export type Alerts = AsyncDisposable & {
  /** What a look at the health has found. Never waits. */
  tell(open: readonly ReportedFinding[]): void;
};

const RETRY_AFTER_MS = [1_000, 5_000, 30_000] as const;
/** After the last attempt. What still holds is told then. */
const REST_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
/** More changes than these wait, and come together: who flaps is told of in 20 messages, not in 700. */
const MESSAGES_PER_HOUR = 20;
/** A process that has just begun has not seen yet what holds. */
const SEES_ENDS_AFTER_MS = 2 * 60_000;

/** What this process knows of a target. */
type Courier = {
  sending: Promise<void> | undefined;
  restsUntil: number;
  /** When the messages of the last hour were sent. */
  sentAt: number[];
  /** What stands for the day of the last digest until there was one. */
  firstDigestOn: string | undefined;
};

/**
 * Tells every target what begins and what is over, one message at a time and each finding once, and the digest of each
 * day. What a target was told is stored: neither a restart nor another process that takes over tells it again. A message
 * is tried four times; then the target counts as failing, and is tried again after a quarter of an hour.
 */
export function createAlerts(deps: AlertDeps): Alerts {
  const stop = new AbortController();
  const couriers = new Map<number, Courier>();
  let speaksSince: number | undefined;
  let looking: Promise<void> | undefined;

  const visit = async (target: AlertTarget, state: AlertState, moment: Moment): Promise<void> => {
    const courier = couriers.get(target.id) ?? {
      sending: undefined,
      restsUntil: 0,
      sentAt: [],
      firstDigestOn: undefined,
    };
    couriers.set(target.id, courier);
    const { at } = moment;
    courier.sentAt = courier.sentAt.filter((sentAt) => at - sentAt < HOUR_MS);
    const isResting = state.failingSince !== undefined && at < courier.restsUntil;
    if (courier.sending !== undefined || isResting || courier.sentAt.length >= MESSAGES_PER_HOUR) return;
    const due = await dueMessage({ deps, target, courier }, state, moment);
    if (due === undefined) return;
    courier.sentAt.push(at);
    courier.sending = send({ deps, target, courier }, due, stop.signal)
      .catch((err: unknown) => deps.log.error({ err, target: target.id }, 'an alert could not be sent'))
      .finally(() => {
        courier.sending = undefined;
      });
  };
  const look = async (open: readonly ReportedFinding[], since: number): Promise<void> => {
    const states = new Map((await deps.store.listAlertStates()).map((state) => [state.targetId, state]));
    const at = deps.clock.now();
    for (const target of await deps.targets()) {
      const state = states.get(target.id) ?? newState(target.id);
      if (target.settings.active) await visit(target, state, { at, open, knowsEnds: at - since >= SEES_ENDS_AFTER_MS });
    }
  };
  const lookAsSpeaker = async (open: readonly ReportedFinding[]): Promise<void> => {
    if (!(await deps.isSpeaker())) {
      speaksSince = undefined;
      return;
    }
    speaksSince ??= deps.clock.now();
    await look(open, speaksSince);
  };
  return {
    tell: (open) => {
      if (looking !== undefined || stop.signal.aborted) return;
      looking = lookAsSpeaker(open)
        .catch((err: unknown) => deps.log.error({ err }, 'alert targets could not be read'))
        .finally(() => {
          looking = undefined;
        });
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await looking;
      await Promise.all([...couriers.values()].map(({ sending }) => sending));
    },
  };
}

type Moment = { readonly at: number; readonly open: readonly ReportedFinding[]; readonly knowsEnds: boolean };
type Visit = { readonly deps: AlertDeps; readonly target: AlertTarget; readonly courier: Courier };

/** A message, and what is known of the target when it has taken it. */
type DueMessage = { readonly message: OutgoingMessage; readonly taken: Omit<TakenAlert, 'targetId' | 'at'> };

async function dueMessage(
  { deps, target, courier }: Visit,
  state: AlertState,
  moment: Moment,
): Promise<DueMessage | undefined> {
  const head = { id: deps.newId(), at: moment.at, installation: deps.installation };
  const digestOn = state.digestOn ?? courier.firstDigestOn;
  const digest = dueDigest(target.settings, { digestOn }, moment.at);
  if (digest?.isSent === false) courier.firstDigestOn = digest.day;
  if (digest?.isSent === true) {
    const facts = await deps.digestFacts();
    return { message: digestMessage(head, { findings: moment.open, ...facts }), taken: { digestOn: digest.day } };
  }
  const changes = dueChanges(target, state, moment);
  if (changes === undefined) return undefined;
  return { message: changesMessage(head, changes), taken: { told: reportedAfter(state.told, changes) } };
}

async function send({ deps, target, courier }: Visit, due: DueMessage, signal: AbortSignal): Promise<void> {
  const { id: targetId } = target;
  const deliver = await deps.deliverTo(target);
  const { taken, said } = await deliverWithRetries(deliver, due.message, { deps, signal });
  const at = deps.clock.now();
  if (taken) return deps.store.noteAlertTaken({ targetId, at, ...due.taken });
  if (signal.aborted) return;
  courier.restsUntil = at + REST_MS;
  deps.log.error({ target: targetId, said }, 'an alert target takes no messages');
  await deps.store.noteAlertFailed({ targetId, at, problem: said });
}

async function deliverWithRetries(
  deliver: Deliver,
  message: OutgoingMessage,
  { deps, signal }: { readonly deps: AlertDeps; readonly signal: AbortSignal },
): Promise<Receipt> {
  const pauses = deps.retryAfterMs ?? RETRY_AFTER_MS;
  for (let attempt = 0; ; attempt++) {
    const receipt = await deliver(message, signal);
    const pauseMs = pauses[attempt];
    if (receipt.taken || pauseMs === undefined || signal.aborted) return receipt;
    await pause(pauseMs, signal);
  }
}

function newState(targetId: number): AlertState {
  return {
    targetId,
    told: [],
    digestOn: undefined,
    takenAt: undefined,
    failingSince: undefined,
    problem: undefined,
  };
}
