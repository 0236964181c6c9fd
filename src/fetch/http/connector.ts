import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import { AppError } from '../../core/errors.ts';
import type { AllowList, EgressGate, PinnedAddress } from '../egress-gate.ts';
import { foldAddress } from '../private-networks.ts';

/** Addresses of one host that are tried before its connection fails. */
const MAX_TRIES = 3;

export type GatedConnectorDeps = {
  readonly origin: string;
  readonly gate: EgressGate;
  readonly allow: AllowList;
  readonly connect: buildConnector.connector;
  /** For the gate's answer; the connector has its own limit for each address. */
  readonly admitMs: number;
};

/**
 * A connector that asks the gate at each new connection, connects to a judged address (so that there is no second
 * look-up that could answer otherwise), and drops a socket whose peer is another one.
 */
export function gatedConnector({
  origin,
  gate,
  allow,
  connect,
  admitMs,
}: GatedConnectorDeps): buildConnector.connector {
  const open = async (options: buildConnector.Options): Promise<Socket> => {
    const target = await gate.admit(origin, allow, AbortSignal.timeout(admitMs));
    // Literal addresses have no name to verify a certificate against; undici then uses the address itself.
    const name = isIP(target.hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: target.hostname } : {};
    let failure: unknown;
    for (const pinned of target.addresses.slice(0, MAX_TRIES)) {
      try {
        const socket = await connected(connect, { ...options, ...name, hostname: pinned.address });
        return verified(socket, pinned);
      } catch (error) {
        if (error instanceof AppError) throw error;
        failure = error;
      }
    }
    throw failure;
  };
  return (options, callback) => {
    open(options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

function connected(connect: buildConnector.connector, options: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connect(options, (error, socket) => {
      if (error !== null) reject(error);
      else resolve(socket);
    });
  });
}

function verified(socket: Socket, pinned: PinnedAddress): Socket {
  if (foldAddress(socket.remoteAddress ?? '') === foldAddress(pinned.address)) return socket;
  socket.destroy();
  const details = { reason: 'blocked-address' };
  throw new AppError('fetch.blocked-address', 'The address is not allowed', { details });
}
