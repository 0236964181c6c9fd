import { systemClock } from '../../src/core/clock.ts';
import { createCrawleeRenderer } from '../../src/fetch/browser/crawlee-renderer.ts';
import { DEFAULT_FETCH_LIMITS, OPEN_ACCESS } from '../../src/fetch/fetcher.ts';
import { createEgressGate } from '../../src/fetch/gate/create-egress-gate.ts';
import { createEgressProxy } from '../../src/fetch/http/create-egress-proxy.ts';
import type { RenderRequest, RenderSettings } from '../../src/fetch/renderer.ts';
import { chromiumPath } from './chromium-path.ts';
import { type FakeNames, fakeResolve, openTo } from './fetching.ts';
import { silentLog } from './silent-log.ts';

/** The proxy with the real gate; names of the test's own. */
export async function openEgressProxy(names: FakeNames = {}) {
  const gate = createEgressGate({
    clock: systemClock,
    resolve: fakeResolve(names),
    allowPrivateNetworks: false,
    ownPorts: new Set(),
  });
  return createEgressProxy({ gate, clock: systemClock });
}

/** A real browser behind the real proxy. */
export async function openRenderer(names: FakeNames = {}) {
  await using stack = new AsyncDisposableStack();
  const proxy = stack.use(await openEgressProxy(names));
  const renderer = stack.use(
    createCrawleeRenderer({
      executablePath: await chromiumPath(),
      sandbox: process.getuid?.() !== 0,
      proxy,
      userAgent: 'FossickBot/0',
      log: silentLog,
    }),
  );
  const owned = stack.move();
  return {
    render: (request: RenderRequest, signal = new AbortController().signal) => renderer.render(request, signal),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const QUICK: RenderSettings = {
  waitFor: undefined,
  settleMs: 100,
  timeoutMs: 5_000,
  block: ['image', 'media', 'font'],
};

/** A request that may reach the hosts of `allow`. */
export function renderRequest(
  url: string,
  allow: readonly string[],
  changes: Partial<Omit<RenderRequest, 'settings'>> & { readonly settings?: Partial<RenderSettings> } = {},
): RenderRequest {
  return {
    url,
    headers: {},
    limits: DEFAULT_FETCH_LIMITS,
    access: { ...OPEN_ACCESS, allow: openTo(allow) },
    ...changes,
    settings: { ...QUICK, ...changes.settings },
  };
}
