import { z } from 'zod';
import { type AlertSettings, mapAlertSecrets, SEVERITIES } from '../core/alert-target.ts';
import { SHOWN_SECRET } from '../core/crawler-secrets.ts';
import { invalidRequest } from '../core/errors.ts';
import { isTimeSpan, isTimeZone, TIME_OF_DAY } from '../core/local-time.ts';
import { keepShownSecrets, type Sealer, sealSecret, secretText } from '../core/seal-secrets.ts';
import { type CheckedPath, check, pathText, problemAt } from './problems.ts';

type Members = Readonly<Record<string, unknown>>;

const MAX_NAME_CHARS = 100;
const MAX_ADDRESSES = 20;
/** As for `ALERT_WEBHOOK_SECRET`: a shorter one can be guessed. */
const MIN_SECRET_CHARS = 16;

const mailAddress = z.email('must be an e-mail address').max(254);

const RULES = {
  name: z.string().trim().min(1).max(MAX_NAME_CHARS),
  active: z.boolean().default(true).describe('false: it is told nothing.'),
  leastSeverity: z
    .enum(SEVERITIES)
    .default('warning')
    .describe('`error`: it is not told what works less well or will not go on for ever.'),
  changes: z.boolean().default(true).describe('Told at once what begins to be wrong and what is over.'),
  digestAt: z
    .string()
    .regex(TIME_OF_DAY, 'must be a time such as 07:30')
    .optional()
    .meta({ description: 'A summary each day at this time; absent: none.', examples: ['07:30'] }),
  timeZone: z
    .string()
    .refine(isTimeZone, { message: 'must be a time zone such as Europe/Berlin' })
    .default('UTC')
    .meta({ description: 'Of the times, by its IANA name.', examples: ['Europe/Berlin'] }),
  quietHours: z
    .string()
    .refine((text) => isTimeSpan(text), { message: 'must be two times such as 22:00-07:00' })
    .optional()
    .meta({ description: 'It is told afterwards what holds then.', examples: ['22:00-07:00'] }),
  errorsBreakQuiet: z.boolean().default(true).describe('Errors are told in quiet hours, too.'),
};

const MAIL = {
  to: z
    .array(mailAddress)
    .min(1)
    .max(MAX_ADDRESSES)
    .meta({ examples: [['ops@example.com']] }),
  from: mailAddress.optional().describe('Sender; absent: `ALERT_MAIL_FROM`.'),
  smtpUrl: address(['smtp', 'smtps'])
    .optional()
    .describe('Mail server with user name and password; absent: `SMTP_URL`. Write-only.'),
};

const WEBHOOK = {
  url: address(['http', 'https']).describe('Address of the receiver; it may hold a token. Write-only.'),
  secret: secretText(({ length }) => length >= MIN_SECRET_CHARS, `must have at least ${MIN_SECRET_CHARS} characters`)
    .optional()
    .describe('Signs the messages; absent: they are not signed. Write-only.'),
};

/** What a target is told and where, as an operator sends it. */
export const ALERT_TARGET = z.discriminatedUnion('kind', [
  z.strictObject({ ...RULES, kind: z.literal('mail'), ...MAIL }),
  z.strictObject({ ...RULES, kind: z.literal('webhook'), ...WEBHOOK }),
]);

/** What may be changed of a target of either kind. */
export const CHANGED_ALERT_TARGET = z.strictObject({ ...RULES, ...MAIL, ...WEBHOOK });

/**
 * Settings of a target as they are stored: defaults filled in, secrets sealed. `set` in place of a secret keeps the one
 * of `present`, and the same secret again keeps its sealed text.
 * @throws AppError `request.invalid` with the path of every wrong or unknown member
 */
export type ParseAlertTarget = (sent: Members, present?: AlertSettings, place?: CheckedPath) => AlertSettings;

export function alertTargetParser(sealer: Sealer): ParseAlertTarget {
  return (sent, present, place = {}) => {
    const before: Members = { ...present };
    if (present !== undefined && sent['kind'] !== present.kind) {
      throw invalidRequest([problemAt([...(place.path ?? []), 'kind'], `stays ${present.kind}: add another target`)]);
    }
    const kept = keepShownSecrets(mapAlertSecrets, sent, { present: before, under: pathText(place.path ?? []) });
    const checked = check(ALERT_TARGET, kept, place);
    if (!checked.isRight) throw invalidRequest(checked.problems);
    return mapAlertSecrets(checked.value, (text, path) => sealSecret(sealer, text, { path, present: before }));
  };
}

/** The settings as they may be shown: secrets as `set`, variables by their name. */
export function hideAlertSecrets(settings: AlertSettings): AlertSettings {
  return mapAlertSecrets(settings, (secret) => (typeof secret === 'string' ? SHOWN_SECRET : secret));
}

function address(schemes: readonly string[]) {
  const isRight = (text: string) => {
    const url = URL.parse(text);
    return url !== null && schemes.includes(url.protocol.slice(0, -1)) && url.hostname !== '';
  };
  return secretText(isRight, `must be an address that begins with ${schemes.join(':// or ')}://`);
}
