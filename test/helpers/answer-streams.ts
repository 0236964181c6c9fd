import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Product } from './product.ts';

export type StreamedAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** One per write of the server. */
  readonly chunks: readonly string[];
  readonly text: string;
};

/**
 * Reads a stream of the product, each chunk as it comes; `leaveAfter` closes the connection behind so many chunks,
 * 0 as soon as the request is sent.
 */
export function readStream(
  product: Product,
  path: string,
  { body, headers = {}, leaveAfter }: { body: unknown; headers?: Record<string, string>; leaveAfter?: number },
): Promise<StreamedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<StreamedAnswer>();
  const agent = new Agent({ keepAlive: false });
  const sent = JSON.stringify(body);
  const outgoing = request(
    {
      host: '127.0.0.1',
      port: product.port,
      method: 'POST',
      path,
      agent,
      headers: { authorization: product.siteKey, 'content-type': 'application/json', ...headers },
    },
    (incoming) => {
      const chunks: string[] = [];
      incoming.setEncoding('utf8');
      const end = () => {
        const { statusCode: status = 0, headers: received } = incoming;
        resolve({ status, headers: received, chunks, text: chunks.join('') });
      };
      incoming.on('data', (chunk: string) => {
        chunks.push(chunk);
        if (chunks.length === leaveAfter) {
          end();
          outgoing.destroy();
        }
      });
      incoming.on('end', end);
      incoming.on('error', (error) => (leaveAfter === undefined ? reject(error) : undefined));
    },
  );
  outgoing.on('error', (error) => (leaveAfter === undefined ? reject(error) : undefined));
  outgoing.end(sent, () => {
    if (leaveAfter !== 0) return;
    outgoing.destroy();
    resolve({ status: 0, headers: {}, chunks: [], text: '' });
  });
  return promise.finally(() => agent.destroy());
}
