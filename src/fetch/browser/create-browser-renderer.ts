import type { Log } from '../../observability/logger.ts';
import type { EgressProxy } from '../egress-proxy.ts';
import type { RenderedPage, Renderer, RenderRequest } from '../renderer.ts';
import { launchChromium } from './launch.ts';
import { type ManagedBrowser, openBrowser } from './managed-browser.ts';
import { notRendered } from './render-failure.ts';

export type BrowserRendererOptions = {
  readonly executablePath: string;
  readonly sandbox: boolean;
  readonly proxy: EgressProxy;
  readonly userAgent: string;
  readonly log: Log;
};

/** Renders with one Chromium, which starts with the first page. Dispose it to end the browser; the proxy stays. */
export function createBrowserRenderer(options: BrowserRendererOptions): Renderer {
  const { executablePath, sandbox, proxy, userAgent, log } = options;
  const living = new Set<ManagedBrowser>();
  let current: Promise<ManagedBrowser> | undefined;

  const start = async (): Promise<ManagedBrowser> => {
    const browser = await launchChromium({ executablePath, sandbox, proxyServer: proxy.server });
    const hold = openBrowser({ browser, proxy, userAgent, log });
    living.add(hold);
    hold.onEnd(() => living.delete(hold));
    return hold;
  };
  const present = async (): Promise<ManagedBrowser> => {
    const known = current;
    const hold = await known?.catch(() => undefined);
    if (hold?.isUsable() === true) return hold;
    // Somebody else may have started one meanwhile.
    if (current === known || current === undefined) current = start();
    try {
      return await current;
    } catch (cause) {
      throw notRendered('Chromium did not start', { cause });
    }
  };
  return {
    render: async (request: RenderRequest, signal: AbortSignal): Promise<RenderedPage> => {
      const hold = await present();
      return hold.render(request, signal);
    },
    [Symbol.asyncDispose]: async () => {
      await current?.catch(() => undefined);
      current = undefined;
      await Promise.all([...living].map((hold) => hold[Symbol.asyncDispose]()));
    },
  };
}
