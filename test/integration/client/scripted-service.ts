import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
};

/** What the next request is answered with; `cut` ends the connection after the body, before its end. */
export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly cut?: boolean;
};

/** A service on loopback that gives the planned replies, one per request, and refuses any other. */
export async function startScriptedService(replies: readonly (Reply | 'no answer')[]) {
  const received: Received[] = [];
  const left = [...replies];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    received.push({
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: body === '' ? undefined : JSON.parse(body),
    });
    const reply = left.shift();
    if (reply === undefined) throw new Error('a request that was not planned');
    if (reply === 'no answer') {
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.write(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}));
    if (reply.cut === true) setImmediate(() => request.socket.destroy());
    else response.end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(501).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The one error body of contract 1.7. */
export function errorReply(status: number, errorCode: string, headers: Reply['headers'] = {}): Reply {
  const message = `Refused with ${errorCode}`;
  return { status, headers, body: { message, status: 'Error', code: status, requestId: 'request-17', errorCode } };
}
