import { createHmac } from 'node:crypto';
import { Client } from 'undici';
import { AppError } from '../../core/errors.ts';

const TIMEOUT_MS = 10_000;

export type WebhookOptions = {
  /** The exact address that the operator configured; it may be private. No redirect is followed. */
  readonly url: string;
  /** Signs the body; undefined: unsigned. */
  readonly secret: string | undefined;
  /** Seconds since 1970, for the signature. */
  readonly nowSeconds: () => number;
  readonly timeoutMs?: number;
};

/**
 * Posts JSON to one address, on a connection of its own. `X-Fossick-Signature` is `sha256=` and the hexadecimal HMAC of
 * `X-Fossick-Timestamp`, a full stop and the body.
 * @returns a function that rejects with `fetch.unavailable` unless the answer is 2xx within 10 s
 */
export function createWebhook(options: WebhookOptions): (message: object, signal: AbortSignal) => Promise<void> {
  const { origin, pathname, search, username, password } = new URL(options.url);
  const credentials = username === '' ? {} : { authorization: basicOf(username, password) };
  return async (message, signal) => {
    const body = JSON.stringify(message);
    const timestamp = String(options.nowSeconds());
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)]);
    const client = new Client(origin);
    try {
      const answer = await client.request({
        method: 'POST',
        path: pathname + search,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Fossick',
          ...credentials,
          ...signatureOf(options.secret, { timestamp, body }),
        },
        body,
        signal: deadline,
      });
      // What a receiver says beyond its status interests nobody.
      answer.body.on('error', () => undefined).destroy();
      if (answer.statusCode < 200 || answer.statusCode > 299) throw notTaken(`answered ${answer.statusCode}`);
    } catch (cause) {
      // The address may hold a token: no message names it.
      throw cause instanceof AppError ? cause : notTaken('did not answer', cause);
    } finally {
      await client.destroy();
    }
  };
}

function notTaken(what: string, cause?: unknown): AppError {
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  const reason = typeof code === 'string' ? ` (${code})` : '';
  return new AppError('fetch.unavailable', `The address of ALERT_WEBHOOK_URL ${what}${reason}`);
}

function signatureOf(
  secret: string | undefined,
  { timestamp, body }: { readonly timestamp: string; readonly body: string },
): Readonly<Record<string, string>> {
  if (secret === undefined) return {};
  const hex = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-fossick-timestamp': timestamp, 'x-fossick-signature': `sha256=${hex}` };
}

/** RFC 7617. */
function basicOf(username: string, password: string): string {
  return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
}
