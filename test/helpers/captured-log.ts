import type { Log } from '../../src/observability/logger.ts';

export type LogLine = {
  readonly level: 'error' | 'warn' | 'info' | 'debug';
  readonly fields: unknown;
  readonly message: unknown;
};

/** A logger that keeps its lines. */
export function captureLog(): { readonly log: Log; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (fields: unknown, message?: unknown) =>
    void lines.push({ level, fields, message });
  const log: Log = {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    child: () => log,
  };
  return { log, lines };
}
