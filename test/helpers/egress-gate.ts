import { AppError } from '../../src/core/errors.ts';
import { NOTHING_PRIVATE, type PinnedAddress } from '../../src/fetch/egress-gate.ts';
import { createEgressGate, type EgressGateOptions } from '../../src/fetch/gate/create-egress-gate.ts';

export const PUBLIC = '93.184.215.14';
export const never = new AbortController().signal;

export function record(address: string): PinnedAddress {
  return { address, family: address.includes(':') ? 6 : 4 };
}

/** A resolver that answers the planned names and throws on every other. */
export function names(planned: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    const found = planned[hostname];
    if (found === undefined) throw Object.assign(new Error(`unplanned name ${hostname}`), { code: 'ENOTFOUND' });
    return found.map(record);
  };
  return { asked, resolve };
}

/** A gate for names of the test, without private networks. */
export function gateWith(options: Partial<EgressGateOptions> = {}) {
  return createEgressGate({
    clock: { now: () => 0 },
    resolve: names({ 'site.example': [PUBLIC] }).resolve,
    allowPrivateNetworks: false,
    ownPorts: new Set(),
    ownAddresses: () => [],
    ...options,
  });
}

/** The reason of a refusal; undefined when there was none. */
export async function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof AppError ? error.options.details?.['reason'] : error;
}

export const admit = (url: string, options: Partial<EgressGateOptions> = {}, allow = NOTHING_PRIVATE) =>
  reasonOf(gateWith(options).admit(url, allow, never));
