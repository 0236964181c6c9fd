import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { GeneratedSite, GeneratedSiteOptions } from '../generated-site.ts';

export type SiteHandle = AsyncDisposable & Pick<GeneratedSite, 'origins' | 'start'> & { requests(): Promise<number> };

/** Starts a generated site in a process of its own. */
export async function startSiteProcess(pages: number, options: GeneratedSiteOptions = {}): Promise<SiteHandle> {
  const child = fork(new URL('./site-process.ts', import.meta.url), [JSON.stringify({ pages, ...options })]);
  const next = async () => (await once(child, 'message'))[0];
  const site = (await next()) as Pick<GeneratedSite, 'origins' | 'start'>;
  return {
    ...site,
    requests: async () => {
      child.send('requests');
      return ((await next()) as { readonly requests: number }).requests;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
