import { ENVIRONMENT } from '../accounts/manage-alert-targets.ts';
import type { Config } from '../config/config.ts';
import type { AlertTarget } from '../core/alert-target.ts';

/** Ids of the targets that variables describe; records begin above them. */
const IDS = { webhook: 1, mail: 2 } as const;

/** The alert targets that variables describe, with their secrets open. */
export function environmentTargets(config: Config): readonly AlertTarget[] {
  const rules = {
    active: true,
    leastSeverity: config.ALERT_LEAST_SEVERITY,
    changes: true,
    digestAt: config.ALERT_DIGEST_AT,
    timeZone: config.ALERT_TIME_ZONE,
    quietHours: config.ALERT_QUIET_HOURS,
    errorsBreakQuiet: config.ALERT_ERRORS_BREAK_QUIET,
  };
  const { ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret, ALERT_MAIL_TO: to } = config;
  const owned = { managedBy: ENVIRONMENT, createdAt: 0 };
  const webhook: AlertTarget[] =
    url === undefined
      ? []
      : [
          {
            id: IDS.webhook,
            settings: { ...rules, name: 'ALERT_WEBHOOK_URL', kind: 'webhook', url, secret },
            ...owned,
          },
        ];
  const mail: AlertTarget[] =
    to === undefined
      ? []
      : [{ id: IDS.mail, settings: { ...rules, name: 'ALERT_MAIL_TO', kind: 'mail', to }, ...owned }];
  return [...webhook, ...mail];
}
