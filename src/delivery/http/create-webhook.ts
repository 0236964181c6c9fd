import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { DELIVER_WITHIN_MS, type Deliver, type Receipt, shortened } from '../deliver.ts';

type WebhookOptions = {
  /** The exact address that the operator configured; it may be private. */
  readonly url: string;
  /** Signs the body; undefined: unsigned. */
  readonly secret: string | undefined;
  /** Seconds since 1970, for the signature. */
  readonly nowSeconds: () => number;
  readonly withinMs?: number;
};

/** Of an answer, this is read at most. */
const ANSWER_BYTES = 2_000;

/**
 * Posts the content as JSON; 2xx takes it. `X-Fossick-Signature` is `sha256=` and the hexadecimal HMAC of
 * `X-Fossick-Timestamp`, a full stop and the body.
 */
export function createWebhook(options: WebhookOptions): Deliver {
  return async ({ content }, signal) => {
    const body = JSON.stringify(content);
    const timestamp = String(options.nowSeconds());
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Fossick',
      ...signatureOf(options.secret, { timestamp, body }),
    };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(options.withinMs ?? DELIVER_WITHIN_MS)]);
    try {
      return await post(options.url, { headers, body, signal: deadline });
    } catch (error) {
      // The address may hold a token: nothing names it.
      return { taken: false, said: `the address did not answer (${causeOf(error)})` };
    }
  };
}

type Sent = {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
  readonly signal: AbortSignal;
};

async function post(url: string, { headers, body, signal }: Sent): Promise<Receipt> {
  const { request } = url.startsWith('https:') ? https : http;
  const sending = request(url, { method: 'POST', headers, agent: false, signal });
  sending.end(body);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, statusMessage = '' } = answer;
  const taken = status >= 200 && status <= 299;
  return { taken, said: shortened(`${status} ${statusMessage} ${await beginningOf(answer)}`) };
}

/** An answer that is cut off says as much as it said. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const piece of answer.setEncoding('utf8')) {
      text += piece;
      if (text.length >= ANSWER_BYTES) break;
    }
  } catch {
    return text;
  }
  return text;
}

function causeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: string };
  return typeof code === 'string' && code !== 'ABORT_ERR'
    ? code
    : name === 'AbortError'
      ? 'no answer in time'
      : 'error';
}

function signatureOf(
  secret: string | undefined,
  { timestamp, body }: { readonly timestamp: string; readonly body: string },
): Readonly<Record<string, string>> {
  if (secret === undefined) return {};
  const hex = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-fossick-timestamp': timestamp, 'x-fossick-signature': `sha256=${hex}` };
}
