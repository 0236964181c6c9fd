import { isIP } from 'node:net';
import { systemClock } from '../../src/core/clock.ts';
import { AppError } from '../../src/core/errors.ts';
import type { AllowList, PinnedAddress } from '../../src/fetch/egress-gate.ts';
import { DEFAULT_FETCH_LIMITS, type FetchRequest, OPEN_ACCESS } from '../../src/fetch/fetcher.ts';
import { createEgressGate } from '../../src/fetch/gate/create-egress-gate.ts';
import { createHttpFetcher } from '../../src/fetch/http/create-http-fetcher.ts';
import { LOOPBACK_NETWORKS } from '../../src/fetch/private-networks.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Host name → addresses; every other name is an error, so that no test asks a real resolver. */
export type FakeNames = Record<string, readonly string[]>;

export function fakeResolve(names: FakeNames) {
  return async (hostname: string): Promise<readonly PinnedAddress[]> => {
    const found = names[hostname];
    if (found === undefined) throw Object.assign(new Error(`unplanned name ${hostname}`), { code: 'ENOTFOUND' });
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
}

/** A fetcher with the real gate, names of the test's own and a spool folder that is removed with it. */
export async function openFetcher(names: FakeNames = {}) {
  await using stack = new AsyncDisposableStack();
  const spoolFolder = stack.use(await temporaryFolder()).path;
  const gate = createEgressGate({
    clock: systemClock,
    resolve: fakeResolve(names),
    allowPrivateNetworks: false,
    ownPorts: new Set(),
  });
  const identity = { userAgent: 'FossickBot/0', from: undefined };
  const fetcher = stack.use(createHttpFetcher({ gate, clock: systemClock, identity, spoolFolder }));
  const owned = stack.move();
  return {
    spoolFolder,
    fetch: (request: FetchRequest, signal = new AbortController().signal) => fetcher.fetch(request, signal),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Opens each `host:port`: an address as it is, a name to addresses of loopback. */
export function openTo(entries: readonly string[]): AllowList {
  const isAddress = (entry: string) => isIP(new URL(`http://${entry}`).hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  const names = entries.filter((entry) => !isAddress(entry)).map((entry) => new URL(`http://${entry}`));
  return {
    addresses: new Set(entries.filter(isAddress)),
    names: names.map(({ hostname, port }) => ({
      name: hostname,
      ports: [Number(port) || 80],
      networks: LOOPBACK_NETWORKS,
    })),
  };
}

/** Settings that mark names as private, with addresses of loopback. */
export function markedNames(...names: readonly string[]) {
  return { privateNames: Object.fromEntries(names.map((name) => [name, ['127.0.0.0/8']])) };
}

/** A page request that may reach the hosts of `allow` and follows every redirect. */
export function pageRequest(
  url: string,
  allow: readonly string[],
  changes: Partial<Omit<FetchRequest, 'limits'>> & { readonly limits?: Partial<FetchRequest['limits']> } = {},
): FetchRequest {
  return {
    url,
    purpose: 'page',
    headers: {},
    validators: undefined,
    access: { ...OPEN_ACCESS, allow: openTo(allow) },
    mayFollow: async () => ({ follow: true }),
    ...changes,
    limits: { ...DEFAULT_FETCH_LIMITS, ...changes.limits },
  };
}

/** Code and reason of a rejection; fails the test when there is none. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<{ code: string; reason: unknown; error: AppError }> {
  const error = await promise.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)?.slice(0, 200)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  return { code: error.code, reason: error.options.details?.['reason'], error };
}
