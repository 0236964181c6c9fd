import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import { addSearchPages, PAGE_POLICY, type SearchPageDeps } from './search-pages.ts';
import type { ApiSettings } from './settings.ts';

export type StaticDeps = SearchPageDeps & {
  readonly settings: Pick<ApiSettings, 'searchPage'>;
  /** Built pages (`web/dist`); undefined when there are none. */
  readonly webFolder: string | undefined;
  /** The bundled sample site, served under `/sample/` for the demo crawler; undefined otherwise. */
  readonly sampleFolder: string | undefined;
};

const ASSETS_MAX_AGE_MS = 31_536_000_000;
/** RFC 9110 section 14.1.1. */
const RANGES = /^bytes=\s*(?:\d+-\d*|-\d+)(?:\s*,\s*(?:\d+-\d*|-\d+))*\s*$/;

/** Search pages with their assets, and the sample site. */
export function staticFiles(deps: StaticDeps): FastifyPluginAsync {
  return async (app) => {
    const { webFolder, sampleFolder } = deps;
    app.addHook('onRequest', async ({ raw }) => {
      // Ranges that cannot be read are ignored (RFC 9110 section 14.2); the plugin would refuse them.
      if (raw.headers.range !== undefined && !RANGES.test(raw.headers.range)) delete raw.headers.range;
    });
    if (webFolder !== undefined && deps.settings.searchPage) {
      addSearchPages(app, deps, webFolder);
      await app.register(fastifyStatic, {
        root: join(webFolder, 'assets'),
        prefix: '/assets/',
        decorateReply: false,
        immutable: true,
        preCompressed: true,
        maxAge: ASSETS_MAX_AGE_MS,
        setHeaders: (reply) => void reply.header('Content-Security-Policy', PAGE_POLICY),
      });
    }
    if (sampleFolder !== undefined) {
      await app.register(fastifyStatic, { root: sampleFolder, prefix: '/sample/', decorateReply: false });
      // Crawlers ask the host's root, so the site's rules are shown there too.
      app.get('/robots.txt', async (_request, reply) =>
        reply.type('text/plain; charset=utf-8').send(await readFile(join(sampleFolder, 'robots.txt'), 'utf8')),
      );
    }
  };
}
