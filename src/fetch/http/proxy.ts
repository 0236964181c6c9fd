import type { Socket } from 'node:net';
import type { buildConnector, Pool } from 'undici';
import { unavailable } from './failure.ts';

export type ForwardProxy = {
  readonly origin: string;
  /** What the proxy is told with every request or tunnel. */
  readonly headers: Readonly<Record<string, string>>;
};

/** From a URL that may hold user info. */
export function proxyOf(text: string): ForwardProxy {
  const { origin, username, password } = new URL(text);
  if (username === '' && password === '') return { origin, headers: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { origin, headers: { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` } };
}

export type TunnelDeps = {
  readonly proxy: ForwardProxy;
  /** Connections to the proxy; each becomes one tunnel. */
  readonly pool: Pool;
  readonly target: URL;
  readonly connect: buildConnector.connector;
};

/** A connector that asks a proxy for a tunnel to an https site (RFC 9110 section 9.3.6) and speaks TLS through it. */
export function tunnelConnector(deps: TunnelDeps): buildConnector.connector {
  return (options, callback) => {
    openTunnel(deps, options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

async function openTunnel(
  { proxy, pool, target, connect }: TunnelDeps,
  options: buildConnector.Options,
): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || 443}`;
  const headers = { host: authority, ...proxy.headers };
  const { statusCode, socket } = await pool.connect({ path: authority, headers });
  if (statusCode !== 200) {
    socket.destroy();
    throw unavailable('refused', new Error(`The proxy answered ${statusCode} to CONNECT`));
  }
  const tunnel = socket as Socket;
  return new Promise((resolve, reject) => {
    connect({ ...options, httpSocket: tunnel }, (error, secured) => {
      if (error === null) return resolve(secured);
      tunnel.destroy();
      reject(error);
    });
  });
}
