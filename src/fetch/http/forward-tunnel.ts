import type { Duplex } from 'node:stream';
import { AppError } from '../../core/errors.ts';
import type { EgressGate } from '../egress-gate.ts';
import type { Pass } from './egress-pass.ts';
import { toFetchError } from './failure.ts';
import { openTunnel } from './open-tunnel.ts';

type Tunnel = {
  readonly gate: EgressGate;
  readonly pass: Pass;
  /** Its errors are its owner's. */
  readonly client: Duplex;
  /** Bytes that came with the request. */
  readonly head: Buffer;
  /** `host:port` of the CONNECT request. */
  readonly target: string;
};

/** Bytes to and from one origin, unseen: TLS is between browser and site. */
export function tunnel(asked: Tunnel): void {
  const { pass, client, target } = asked;
  const origin = originOf(target);
  if (origin === undefined || !pass.mayBegin()) {
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return;
  }
  open(asked, origin).catch((error: unknown) => {
    const failure = toFetchError(error, 'headers');
    pass.failed(origin, failure);
    client.end(isRefusal(failure) ? 'HTTP/1.1 403 Forbidden\r\n\r\n' : 'HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
}

async function open({ gate, pass, client, head }: Tunnel, origin: string): Promise<void> {
  const free = await pass.connection(origin);
  const ending = { destroy: () => client.destroy() };
  pass.own(ending);
  client.once('close', () => {
    pass.disown(ending);
    free();
  });
  if (client.destroyed) {
    free();
    return;
  }
  const site = await openTunnel(origin, pass, gate);
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
    if (!pass.count(chunk.length)) client.destroy();
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
