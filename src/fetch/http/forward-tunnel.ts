import type { Duplex } from 'node:stream';
import { AppError } from '../../core/errors.ts';
import type { EgressGate } from '../egress-gate.ts';
import { toFetchError } from './failure.ts';
import { openTunnel } from './open-tunnel.ts';
import type { OpenProxySession } from './proxy-session.ts';

type Tunnel = {
  readonly gate: EgressGate;
  readonly session: OpenProxySession;
  /** Its errors are its owner's. */
  readonly client: Duplex;
  /** Bytes that came with the request. */
  readonly head: Buffer;
  /** `host:port` of the CONNECT request. */
  readonly target: string;
};

/** Bytes to and from one origin, unseen: TLS is between browser and site. */
export function tunnel(request: Tunnel): void {
  const { session, client, target } = request;
  const origin = originOf(target);
  if (origin === undefined || !session.mayBegin()) {
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return;
  }
  open(request, origin).catch((error: unknown) => {
    const failure = toFetchError(error, 'headers');
    session.failed(origin, failure);
    client.end(isRefusal(failure) ? 'HTTP/1.1 403 Forbidden\r\n\r\n' : 'HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
}

async function open({ gate, session, client, head }: Tunnel, origin: string): Promise<void> {
  const free = await session.connection(origin);
  const ending = { destroy: () => client.destroy() };
  session.own(ending);
  client.once('close', () => {
    session.disown(ending);
    free();
  });
  if (client.destroyed) {
    free();
    return;
  }
  const site = await openTunnel(origin, session, gate);
  site.on('error', () => client.destroy());
  site.once('close', () => client.destroy());
  client.once('close', () => site.destroy());
  if (client.destroyed) {
    site.destroy();
    return;
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) site.write(head);
  const count = (chunk: Buffer) => {
    if (!session.count(chunk.length)) client.destroy();
  };
  client.on('data', count).pipe(site);
  site.on('data', count).pipe(client);
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'fetch.blocked-address';
}

/** Port 80 is plain: browsers tunnel `ws:` through it. */
function originOf(target: string): string | undefined {
  const scheme = target.endsWith(':80') ? 'http' : 'https';
  const url = URL.parse(`${scheme}://${target}`);
  return url === null || url.pathname !== '/' || url.username !== '' ? undefined : url.origin;
}
