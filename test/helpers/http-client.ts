import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export type Sent = {
  readonly method?: string;
  /** As it goes over the wire: nothing is normalised. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Bytes or text as they are; anything else as JSON. */
  readonly body?: unknown;
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: any };

/** Sends one request to a loopback server and reads the whole answer; JSON bodies come parsed. */
export async function sendTo(port: number, agent: Agent, sent: Sent): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { method = 'GET', path, body } = sent;
  const headers: OutgoingHttpHeaders = { ...sent.headers };
  const raw =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  if (raw !== undefined) {
    headers['content-type'] ??= 'application/json';
    if (!('content-length' in headers)) headers['content-length'] = Buffer.byteLength(raw as string);
  }
  for (const name of Object.keys(headers)) if (headers[name] === undefined) delete headers[name];
  const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers }, (incoming) => {
    buffer(incoming).then((bytes) => {
      const type = incoming.headers['content-type'] ?? '';
      const content = decode(bytes, incoming.headers['content-encoding']);
      const parsed = type.startsWith('application/json') && content !== '' ? JSON.parse(content) : content;
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: parsed });
    }, reject);
  });
  outgoing.on('error', reject);
  outgoing.end(raw);
  return promise;
}

export function createAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 16 });
}

function decode(bytes: Buffer, encoding: string | undefined): string {
  // The answer to HEAD names an encoding of nothing.
  if (bytes.length === 0) return '';
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}
