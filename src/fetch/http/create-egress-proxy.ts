import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import type { EgressGate } from '../egress-gate.ts';
import type { EgressProxy, ProxySession } from '../egress-proxy.ts';
import { forward } from './forward-request.ts';
import { tunnel } from './forward-tunnel.ts';
import { createPools } from './pools.ts';
import { createProxySession, type OpenProxySession } from './proxy-session.ts';

/** A name that never resolves (RFC 6761). */
const HELLO_URL = 'http://egress.invalid/';
const CHALLENGE = 'Basic realm="egress"';

/** A proxy on a free loopback port. Dispose it to close it with all connections. */
export async function createEgressProxy(deps: {
  readonly gate: EgressGate;
  readonly clock: Clock;
}): Promise<EgressProxy> {
  await using stack = new AsyncDisposableStack();
  const pools = stack.use(createPools(deps));
  const passes = new Map<string, OpenProxySession>();
  const server = createServer((request, response) => {
    const session = sessionOf(passes, request);
    if (session === undefined) response.writeHead(407, { 'proxy-authenticate': CHALLENGE }).end();
    else if (request.url === HELLO_URL) response.writeHead(200, { 'content-type': 'text/html' }).end();
    else forward({ pools, session, request, response });
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    // A browser that is killed resets its connections; an error that nobody hears would end the process.
    client.on('error', () => client.destroy());
    const session = sessionOf(passes, request);
    if (session === undefined)
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${CHALLENGE}\r\n\r\n`);
    else tunnel({ gate: deps.gate, session, client, head, target: request.url ?? '' });
  });
  server.on('upgrade', (_request: IncomingMessage, client: Duplex) => client.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  stack.defer(
    () =>
      new Promise<void>((resolve) => {
        for (const session of passes.values()) session.close();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const owned = stack.move();
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    helloUrl: HELLO_URL,
    openSession: (input): ProxySession => {
      const session = createProxySession(input);
      const [username, password] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')];
      const key = authorizationOf(username, password);
      passes.set(key, session);
      return {
        username,
        password,
        openPage: (budget) => session.openPage(budget),
        [Symbol.dispose]: () => {
          passes.delete(key);
          session.close();
        },
      };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Credentials are 384 random bits and live as long as a page: a look-up tells nobody how near a guess was. */
function sessionOf(
  passes: ReadonlyMap<string, OpenProxySession>,
  { headers }: IncomingMessage,
): OpenProxySession | undefined {
  return passes.get(headers['proxy-authorization'] ?? '');
}

function authorizationOf(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
