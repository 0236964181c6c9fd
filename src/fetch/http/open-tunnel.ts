import type { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';
import type { EgressGate } from '../egress-gate.ts';
import { unavailable } from './failure.ts';
import { gated, openProxyPool, type PoolKey } from './pools.ts';
import { proxyOf } from './proxy.ts';

/** A connection to an origin, direct or through the access's proxy, whose TLS is somebody else's. Caller destroys it. */
export function openTunnel(origin: string, request: PoolKey, gate: EgressGate): Promise<Duplex> {
  const { proxy, allow } = request.access;
  return proxy === undefined
    ? connect(gated({ origin, allow }, request, gate), origin)
    : openThrough(proxy, { origin, request, gate });
}

function connect(connector: buildConnector.connector, origin: string): Promise<Duplex> {
  const { hostname, port, protocol } = new URL(origin);
  const to = { hostname, host: hostname, protocol: 'http:', port: port || (protocol === 'http:' ? '80' : '443') };
  return new Promise((resolve, reject) => {
    connector(to, (error, socket) => {
      if (error === null) resolve(socket);
      else reject(error);
    });
  });
}

/** The gate judges the target all the same. */
async function openThrough(
  proxyUrl: string,
  { origin, request, gate }: { readonly origin: string; readonly request: PoolKey; readonly gate: EgressGate },
): Promise<Duplex> {
  const { access, limits } = request;
  await gate.admit(origin, access.allow, AbortSignal.timeout(limits.connectMs));
  const proxy = proxyOf(proxyUrl);
  const pool = openProxyPool(proxy, request, gate);
  const destroy = () => void pool.destroy();
  try {
    const { hostname, port, protocol } = new URL(origin);
    const authority = `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`;
    const { statusCode, socket } = await pool.connect({
      path: authority,
      headers: { host: authority, ...proxy.headers },
    });
    socket.once('close', destroy);
    if (statusCode === 200) return socket;
    socket.destroy();
    throw unavailable('refused', new Error(`The proxy answered ${statusCode} to CONNECT`));
  } catch (error) {
    destroy();
    throw error;
  }
}
