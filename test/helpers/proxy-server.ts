import { createServer, request as sendRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export type ProxyServer = AsyncDisposable & {
  readonly host: string;
  /** `GET http://…` and `CONNECT host:port`, in order. */
  readonly asked: readonly string[];
  /** Headers of what was asked, `proxy-authorization` before all. */
  readonly authorizations: readonly (string | undefined)[];
};

/** A forward proxy on loopback. Every name leads to `127.0.0.1`; `refuses` answers 407 to everybody. */
export async function startProxyServer({ refuses = false } = {}): Promise<ProxyServer> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    authorizations.push(request.headers['proxy-authorization']);
    if (refuses) {
      response.writeHead(407).end();
      return;
    }
    const { host, port, pathname, search } = new URL(request.url ?? '');
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const path = pathname + search;
    const onward = sendRequest({
      host: '127.0.0.1',
      port,
      path,
      method: request.method,
      headers: { ...headers, host },
    });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  server.on('connect', (request, socket, head) => {
    asked.push(`CONNECT ${request.url}`);
    authorizations.push(request.headers['proxy-authorization']);
    if (refuses) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const port = Number(request.url?.split(':').at(-1));
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    asked,
    authorizations,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
