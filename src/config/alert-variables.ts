import type { Problem } from '../core/errors.ts';
import { about, flag, mailAddresses, oneOf, SECRET, text, timeOfDay, timeSpan, timeZone, url } from './values.ts';

/** As for every secret: a shorter one can be guessed. */
const MIN_SECRET_CHARS = 16;

/** Who is told what is wrong, where no record says so (docs/operations.md). */
export const ALERT_VARIABLES = {
  ALERT_WEBHOOK_URL: about(
    url(['http', 'https']).optional(),
    'Watching',
    'Address that is sent what begins to be wrong and what is over, as JSON (docs/operations.md)',
    { ...SECRET, shownDefault: 'none' },
  ),
  ALERT_WEBHOOK_SECRET: about(text(MIN_SECRET_CHARS).optional(), 'Watching', 'Key that signs these messages', {
    ...SECRET,
    shownDefault: 'they are not signed',
  }),
  ALERT_MAIL_TO: about(
    mailAddresses().optional(),
    'Watching',
    'Comma list of addresses that are told the same by mail',
    { shownDefault: 'nobody' },
  ),
  ALERT_MAIL_FROM: about(mailAddresses(1).optional(), 'Watching', 'Sender of mail', {
    shownDefault: '`fossick@` and the name of this machine',
  }),
  SMTP_URL: about(
    url(['smtp', 'smtps']).optional(),
    'Watching',
    'Mail server with user name and password, such as smtps://user:password@mail.example.com; private addresses are allowed',
    { ...SECRET, shownDefault: 'no mail is sent' },
  ),
  ALERT_LEAST_SEVERITY: about(
    oneOf(['warning', 'error']).default('warning'),
    'Watching',
    'Of what these two are told: everything, or errors alone',
  ),
  ALERT_DIGEST_AT: about(timeOfDay().optional(), 'Watching', 'Time of a daily summary for these two, such as 07:30', {
    shownDefault: 'none',
  }),
  ALERT_QUIET_HOURS: about(
    timeSpan().optional(),
    'Watching',
    'When these two are told nothing, such as 22:00-07:00; what still holds is told afterwards',
    { shownDefault: 'none' },
  ),
  ALERT_ERRORS_BREAK_QUIET: about(flag().default(true), 'Watching', 'Errors are told in quiet hours, too'),
  ALERT_TIME_ZONE: about(timeZone().default('UTC'), 'Watching', 'Of these times, such as Europe/Berlin'),
};

type MailVariables = {
  readonly ALERT_MAIL_TO?: readonly string[] | undefined;
  readonly SMTP_URL?: string | undefined;
};

/** What the variables of mail ask of each other. */
export function mailProblems({ ALERT_MAIL_TO: to, SMTP_URL: server }: MailVariables): readonly Problem[] {
  return to !== undefined && server === undefined
    ? [{ path: 'SMTP_URL', message: 'must be set with ALERT_MAIL_TO' }]
    : [];
}
