import type { Config } from '../config/config.ts';
import { systemClock } from '../core/clock.ts';
import { createBrowserRenderer } from '../fetch/browser/create-browser-renderer.ts';
import type { EgressGate } from '../fetch/egress-gate.ts';
import { createEgressProxy } from '../fetch/http/create-egress-proxy.ts';
import type { Renderer } from '../fetch/renderer.ts';
import type { Log } from '../observability/logger.ts';
import { chromiumOf } from './chromium.ts';

export type BrowserDeps = {
  readonly config: Config;
  readonly gate: EgressGate;
  /** Takes the port of the proxy: no page may reach it. */
  readonly ownPorts: Set<number>;
  readonly userAgent: string;
  readonly log: Log;
};

/** Chromium behind a proxy of its own; undefined without Chromium. Closed with the stack. */
export async function openBrowser(stack: AsyncDisposableStack, deps: BrowserDeps): Promise<Renderer | undefined> {
  const { config, gate, ownPorts, userAgent, log } = deps;
  const executablePath = await chromiumOf(config);
  if (executablePath === undefined) {
    log.warn('no Chromium: pages made by scripts are read as they come over HTTP; npm run setup installs it');
    return undefined;
  }
  const proxy = stack.use(await createEgressProxy({ gate, clock: systemClock }));
  ownPorts.add(Number(new URL(proxy.server).port));
  const sandbox = config.CHROMIUM_SANDBOX && process.getuid?.() !== 0;
  if (!sandbox) log.info('Chromium runs without its sandbox: as root, or because CHROMIUM_SANDBOX is off');
  return stack.use(createBrowserRenderer({ executablePath, sandbox, proxy, userAgent, log }));
}
