import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import {
  type AlertTargetDeps,
  addAlertTarget,
  changeAlertTarget,
  listAlertTargets,
  removeAlertTarget,
  requireAlertTarget,
} from '../../accounts/manage-alert-targets.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import { TEST_MESSAGES, type TestDeps, testTarget } from '../../alerts/test-target.ts';
import { ALERT_KINDS, type AlertState, type AlertTarget, SEVERITIES } from '../../core/alert-target.ts';
import type { StoredSecret } from '../../core/crawler-secrets.ts';
import { DELIVER_WITHIN_MS } from '../../delivery/deliver.ts';
import type { AlertTargetStore } from '../../storage/system/alert-targets.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { actorOf, sentBy } from './access.ts';
import { isMatched, sendTagged } from './record-tag.ts';
import { idOf, LIST_QUERY, pageOf, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';

export type AlertTargetRouteDeps = AlertTargetDeps & {
  readonly store: Pick<AlertTargetStore, 'listAlertStates'>;
  readonly alertTest: TestDeps;
  /** Undefined for one that cannot be opened. */
  readonly openSecret: (secret: StoredSecret) => string | undefined;
};

export const ALERT_TARGET_LIST = z.strictObject(LIST_QUERY);
export const ALERT_TEST = z.strictObject({
  message: z.enum(TEST_MESSAGES).default('test').describe('`digest`: the summary of the last day.'),
});

/** Who is told what is wrong: records of the operator alone, and what variables describe. */
export function alertTargetRoutes(deps: AlertTargetRouteDeps): FastifyPluginAsync {
  const shown = async (target: AlertTarget) => {
    const states = await deps.store.listAlertStates();
    return targetBody(deps, target, states);
  };
  return async (app) => {
    app.get('/alert-targets', async (request) => {
      const [targets, states] = [await listAlertTargets(deps), await deps.store.listAlertStates()];
      return pageOf(targets, queryOf(ALERT_TARGET_LIST, request), (target) => targetBody(deps, target, states));
    });

    app.post('/alert-targets', async (request, reply) => {
      reply.code(201);
      return shown(await addAlertTarget(deps, sentBy(request)));
    });

    app.get('/alert-targets/:targetId', async (request, reply) => {
      const target = await requireAlertTarget(deps, idOf(request, 'targetId'));
      return sendTagged(reply, await shown(target), target.settings);
    });

    app.patch('/alert-targets/:targetId', async (request, reply) => {
      const id = idOf(request, 'targetId');
      const present = await requireAlertTarget(deps, id);
      const matched = isMatched(request, present.settings) ? present : undefined;
      const target = await changeAlertTarget(deps, id, { ...sentBy(request), matched });
      return sendTagged(reply, await shown(target), target.settings);
    });

    app.delete('/alert-targets/:targetId', async (request, reply) => {
      await removeAlertTarget(deps, idOf(request, 'targetId'), actorOf(request));
      return reply.code(204).send();
    });

    app.post('/alert-targets/:targetId/test', async (request, reply) => {
      const target = await requireAlertTarget(deps, idOf(request, 'targetId'));
      const { message } = parseStrictly(ALERT_TEST, request.body ?? {});
      const tested = await testTarget(deps.alertTest, target, {
        message,
        signal: requestSignal(reply, DELIVER_WITHIN_MS),
      });
      return tested satisfies Shown<typeof ALERT_TEST_BODY>;
    });
  };
}

const SECRET = z
  .union([z.literal('set'), z.object({ fromEnv: z.string() })])
  .nullable()
  .describe('Only that it is set, or the variable that holds it.');

export const ALERT_TARGET_BODY = z
  .object({
    id: z.int().describe('1: `ALERT_WEBHOOK_URL`, 2: `ALERT_MAIL_TO`; records begin at 10.'),
    name: z.string(),
    kind: z.enum(ALERT_KINDS),
    active: z.boolean(),
    to: z.array(z.string()).nullable().describe('Of mail.'),
    from: z.string().nullable(),
    smtpUrl: SECRET,
    url: SECRET,
    address: z.string().nullable().describe('Of a webhook: what may be shown of its address.'),
    secret: SECRET,
    leastSeverity: z.enum(SEVERITIES),
    changes: z.boolean(),
    digestAt: z.string().nullable(),
    timeZone: z.string(),
    quietHours: z.string().nullable(),
    errorsBreakQuiet: z.boolean(),
    managedBy: z.string().nullable().describe('The provision file that owns it, or `environment`.'),
    createdAt: TIME.nullable(),
    state: z.object({
      takenAt: TIME.nullable().describe('When a receiver last took a message.'),
      failingSince: TIME.nullable().describe('Nobody takes its messages since then.'),
      problem: z.string().nullable().describe('Why the last one was not taken.'),
    }),
  })
  .meta({ id: 'AlertTarget' });

export const ALERT_TEST_BODY = z
  .object({
    taken: z.boolean(),
    said: z.string().describe('What the receiver said, or why none could be asked.'),
    milliseconds: z.number(),
  })
  .meta({ id: 'TestedAlertTarget' });

function targetBody(
  { openSecret }: Pick<AlertTargetRouteDeps, 'openSecret'>,
  { id, settings, managedBy, createdAt }: AlertTarget,
  states: readonly AlertState[],
): Shown<typeof ALERT_TARGET_BODY> {
  const state = states.find(({ targetId }) => targetId === id);
  return {
    id,
    ...rulesOf(settings),
    ...receiverOf(settings),
    address: settings.kind === 'webhook' ? shownAddress(openSecret(settings.url)) : null,
    managedBy: managedBy ?? null,
    createdAt: createdAt === 0 ? null : timeText(createdAt),
    state: {
      takenAt: timeText(state?.takenAt),
      failingSince: timeText(state?.failingSince),
      problem: state?.problem ?? null,
    },
  };
}

type Receiver = Pick<Shown<typeof ALERT_TARGET_BODY>, 'to' | 'from' | 'smtpUrl' | 'url' | 'secret'>;

function receiverOf(settings: AlertTarget['settings']): Receiver {
  if (settings.kind === 'webhook') {
    return {
      to: null,
      from: null,
      smtpUrl: null,
      url: shownSecret(settings.url),
      secret: shownSecret(settings.secret),
    };
  }
  const { to, from = null, smtpUrl } = settings;
  return { to: [...to], from, smtpUrl: shownSecret(smtpUrl), url: null, secret: null };
}

function shownSecret(secret: StoredSecret | undefined): Receiver['secret'] {
  return typeof secret === 'string' ? 'set' : (secret ?? null);
}

function rulesOf(settings: AlertTarget['settings']) {
  const { name, kind, active, leastSeverity, changes, digestAt, timeZone, quietHours, errorsBreakQuiet } = settings;
  const times = { digestAt: digestAt ?? null, timeZone, quietHours: quietHours ?? null };
  return { name, kind, active, leastSeverity, changes, ...times, errorsBreakQuiet };
}

/** Path and query may be a token. */
function shownAddress(url: string | undefined): string | null {
  const origin = url === undefined ? undefined : URL.parse(url)?.origin;
  return origin === undefined ? null : `${origin}/…`;
}
