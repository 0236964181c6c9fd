import type { ServerResponse } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pause } from '../observability/background.ts';

/** Readiness and answers tell everybody to go elsewhere for so long before the listener closes. */
const GRACE_MS = 2_000;
/** When nobody is connected and nobody has asked for so long, there is nobody to tell. */
const QUIET_MS = 15_000;
/** After the signal to stop: work that is still under way ends as at its deadline, then all connections. */
const LIMITS = { cutOffMs: 7_000, giveUpMs: 9_000 } as const;

export type Drain = {
  /** Aborted when the process cannot wait any longer: answers end as at their deadline, streams with their last line. */
  readonly cutOff: AbortSignal;
  /**
   * Stops without cutting a request off that was sent: `begin` is told first, then answers carry `Connection: close` for
   * a while, then the listener closes and what is under way comes to its end. Takes 9 s at most.
   */
  close(begin: () => void): Promise<void>;
};

declare module 'fastify' {
  interface FastifyInstance {
    readonly drain: Drain;
  }
}

/** Follows the requests of an app, for the end of the process. Costs an entry in a set per request. */
export function createDrain(app: FastifyInstance, limits: { cutOffMs: number; giveUpMs: number } = LIMITS): Drain {
  const underWay = new Set<ServerResponse>();
  const cutOff = new AbortController();
  let hasBegun = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  app.server.on('request', (_message, response) => {
    askedAtMs = performance.now();
    if (hasBegun) response.shouldKeepAlive = false;
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  const isQuiet = async () => performance.now() - askedAtMs > QUIET_MS && (await connections(app)) === 0;
  return {
    cutOff: cutOff.signal,
    close: async (begin) => {
      begin();
      hasBegun = true;
      for (const response of underWay) if (!response.headersSent) response.shouldKeepAlive = false;
      const impatience = setTimeout(() => cutOff.abort(), limits.cutOffMs);
      const end = setTimeout(() => app.server.closeAllConnections(), limits.giveUpMs);
      if (!(await isQuiet())) await pause(GRACE_MS, cutOff.signal);
      // Behind a turn of the loop: whatever has arrived was accepted and read, so that its connection is not idle.
      await yieldToEventLoop();
      await app.close();
      clearTimeout(impatience);
      clearTimeout(end);
    },
  };
}

function connections(app: FastifyInstance): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((error, count) => resolve(error === null ? count : 1)));
}
