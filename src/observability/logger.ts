import { type Logger, pino } from 'pino';

/** One JSON line per event on stdout; fields, no interpolation; the message is a constant lower-case phrase. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'> & { child(fields: Record<string, unknown>): Log };

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const REDACTED_PATHS = ['authorization', 'cookie', 'password', 'token', 'apiKey', 'key', 'secret'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** `name` tells the process apart (`api`, `crawl-1`); secrets are redacted by the name of their field. */
export function createLogger(options: { readonly level: LogLevel; readonly name: string }): Log {
  return pino({
    level: options.level,
    base: { process: options.name, pid: process.pid },
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
  });
}
