import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountSnapshot } from '../accounts/engine-snapshot.ts';
import { AppError } from '../core/errors.ts';
import { escapeHtml } from '../core/escape-html.ts';
import type { Engine } from '../core/records.ts';
import type { ApiSettings } from './settings.ts';

export type StaticDeps = {
  readonly settings: Pick<ApiSettings, 'searchPage'>;
  readonly accounts: Pick<AccountSnapshot, 'listEngines'>;
  /** Built pages (`web/dist`); undefined when there are none. */
  readonly webFolder: string | undefined;
  /** The bundled sample site, served under `/sample/` for the demo crawler; undefined otherwise. */
  readonly sampleFolder: string | undefined;
};

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Banners of editors have style attributes and pictures (contract 2.10).
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: https:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
const ASSETS_MAX_AGE_MS = 31_536_000_000;
/** RFC 9110 section 14.1.1. */
const RANGES = /^bytes=\s*(?:\d+-\d*|-\d+)(?:\s*,\s*(?:\d+-\d*|-\d+))*\s*$/;

/** The search page of the first engine that is shown, or of `?engine=<id>`, with its assets, and the sample site. */
export function staticFiles(deps: StaticDeps): FastifyPluginAsync {
  return async (app) => {
    const { webFolder, sampleFolder } = deps;
    app.addHook('onRequest', async ({ raw }) => {
      // Ranges that cannot be read are ignored (RFC 9110 section 14.2); the plugin would refuse them.
      if (raw.headers.range !== undefined && !RANGES.test(raw.headers.range)) delete raw.headers.range;
    });
    if (webFolder !== undefined && deps.settings.searchPage !== 'off') {
      const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
        const { engine: wanted } = request.query as { readonly engine?: unknown };
        const engine = chooseEngine(await shownEngines(deps), wanted);
        // Read anew each time: a page is small, and a new build shows at once.
        const page = await readFile(join(webFolder, 'search/index.html'), 'utf8');
        reply.headers({ 'Content-Security-Policy': PAGE_POLICY, 'Cache-Control': 'no-cache' });
        return reply.type('text/html; charset=utf-8').send(fillPage(page, engine));
      };
      app.get('/', sendPage);
      app.get('/demo', sendPage);
      await app.register(fastifyStatic, {
        root: join(webFolder, 'assets'),
        prefix: '/assets/',
        decorateReply: false,
        immutable: true,
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

/** No engine of a customer that the operator does not show. */
async function shownEngines({ accounts, settings: { searchPage } }: StaticDeps): Promise<readonly Engine[]> {
  const engines = await accounts.listEngines();
  if (searchPage === 'all') return engines;
  const firstCustomer = Math.min(...engines.map(({ customerId }) => customerId));
  return engines.filter(({ id, customerId }) =>
    Array.isArray(searchPage) ? searchPage.includes(id) : customerId === firstCustomer,
  );
}

/** Undefined only in an installation without engines. @throws AppError `route.not-found` */
function chooseEngine(shown: readonly Engine[], wanted: unknown): Engine | undefined {
  if (wanted === undefined) return shown[0];
  const engine = shown.find(({ id }) => String(id) === wanted);
  if (engine === undefined) throw new AppError('route.not-found', 'There is no search page for this engine');
  return engine;
}

/** The page with what it needs to search: the public key of one engine. */
function fillPage(page: string, engine: Engine | undefined): string {
  const values: Readonly<Record<string, string>> = {
    SITE_KEY: engine === undefined ? '' : siteKeyOf(engine),
    CUSTOMER_ID: String(engine?.customerId ?? ''),
    ENGINE_ID: String(engine?.id ?? ''),
    ENGINE_NAME: engine?.name ?? '',
    LANGUAGE: engine?.language ?? '',
  };
  return page.replace(/%([A-Z_]+)%/g, (found, name: string) => {
    const value = values[name];
    return value === undefined ? found : escapeHtml(value);
  });
}

/** Contract: 1.6. */
function siteKeyOf(engine: Engine): string {
  return Buffer.from(`${engine.customerId}:${engine.id}:SearchKey`).toString('base64');
}
