import { AppError } from '../../core/errors.ts';

const REFUSALS = new Set(['blocked-address', 'private-name', 'blocked-port', 'scheme']);

/** `reason` is what the proxy met; without one the browser itself failed. */
export function notRendered(
  message: string,
  { reason = 'render-failed', cause }: { readonly reason?: string | undefined; readonly cause?: unknown } = {},
): AppError {
  const code = REFUSALS.has(reason) ? 'fetch.blocked-address' : 'fetch.unavailable';
  return new AppError(code, message, { details: { reason }, cause });
}
