import { destination, type Logger, multistream, pino } from 'pino';
import { openLogFile } from './log-files.ts';

/** One JSON line per event on stdout; fields, no interpolation; the message is a constant lower-case phrase. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'> & { child(fields: Record<string, unknown>): Log };

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const REDACTED_PATHS = ['authorization', 'cookie', 'password', 'token', 'apiKey', 'key', 'secret'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/**
 * `name` tells the process apart (`api`, `crawl-1`); secrets are redacted by the name of their field. With a `folder` the
 * same lines are kept there, too.
 */
export function createLogger(options: {
  readonly level: LogLevel;
  readonly name: string;
  readonly folder?: string;
}): Log {
  const { level, name, folder } = options;
  const settings = {
    level,
    base: { process: name, pid: process.pid },
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
  };
  if (folder === undefined) return pino(settings);
  // Each stream takes what the logger lets through.
  const streams = [destination({ fd: 1, sync: true }), openLogFile(folder, name)].map((stream) => ({
    level: 'trace' as const,
    stream,
  }));
  return pino(settings, multistream(streams));
}
