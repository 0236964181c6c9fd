import type { StoredSecret } from './crawler-secrets.ts';

/** `error`: something does not work now · `warning`: it will not go on for ever, or works less well. */
export const SEVERITIES = ['warning', 'error'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const ALERT_KINDS = ['mail', 'webhook'] as const;

/** What a target is told, and when. Times are of `timeZone`. */
export type AlertRules = {
  readonly name: string;
  readonly active: boolean;
  readonly leastSeverity: Severity;
  /** At once what begins and what is over. */
  readonly changes: boolean;
  /** `07:30`, for a summary each day; undefined: none. */
  readonly digestAt?: string | undefined;
  /** IANA name. */
  readonly timeZone: string;
  /** `22:00-07:00`; undefined: none. */
  readonly quietHours?: string | undefined;
  /** Errors are told in quiet hours, too. */
  readonly errorsBreakQuiet: boolean;
};

export type MailReceiver = {
  readonly kind: 'mail';
  readonly to: readonly string[];
  /** Undefined: the sender of the installation. */
  readonly from?: string | undefined;
  /** Undefined: the server of the installation. */
  readonly smtpUrl?: StoredSecret | undefined;
};

export type WebhookReceiver = {
  readonly kind: 'webhook';
  /** May hold a token. */
  readonly url: StoredSecret;
  /** Signs the messages; undefined: they are not signed. */
  readonly secret?: StoredSecret | undefined;
};

export type AlertSettings = AlertRules & (MailReceiver | WebhookReceiver);

/** Who is told what is wrong, for the whole installation. */
export type AlertTarget = {
  readonly id: number;
  readonly settings: AlertSettings;
  /** The provision file that owns the record, or `environment`; undefined = made through the admin API. */
  readonly managedBy: string | undefined;
  readonly createdAt: number;
};

/** What became of the messages to a target. */
export type AlertState = {
  readonly targetId: number;
  /** Findings that it was told of and that are not over. */
  readonly told: readonly ReportedFinding[];
  /** Local day of the last digest, `2026-01-31`; undefined: none yet. */
  readonly digestOn: string | undefined;
  readonly takenAt: number | undefined;
  /** Nobody takes its messages since then. */
  readonly failingSince: number | undefined;
  /** Why the last one was not taken. */
  readonly problem: string | undefined;
};

export type ReportedFinding = {
  readonly name: string;
  readonly severity: Severity;
  readonly subject: string;
  readonly sentence: string;
  readonly command: string;
  readonly since: number;
};

const SECRETS = ['url', 'secret', 'smtpUrl'];

/** The settings with every secret that is there replaced by what `change` makes of it. */
export function mapAlertSecrets<T extends object>(
  settings: T,
  change: (secret: unknown, path: readonly string[]) => unknown,
): T {
  const changed = Object.entries(settings).map(([name, value]) => [
    name,
    SECRETS.includes(name) && value !== undefined && value !== null ? change(value, [name]) : value,
  ]);
  return Object.fromEntries(changed) as T;
}
