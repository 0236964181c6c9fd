import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { AppError } from '../core/errors.ts';

export type AdminPageDeps = {
  /** Built pages (`web/dist`); undefined when there are none. */
  readonly webFolder: string | undefined;
};

const ASSETS_MAX_AGE_MS = 31_536_000_000;
/** Below `/admin/` it is the admin API. */
const API_PATH = /^v1(?:\/|$)/;

/** Scripts, styles and answers of this host only; nobody frames it, and it frames only pages of this host. */
export const ADMIN_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': ADMIN_POLICY,
  'Cache-Control': 'no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
};

/** The admin web: one document at `/admin` and everything below it that is not the admin API, and its chunks. */
export function adminPages({ webFolder }: AdminPageDeps): FastifyPluginAsync {
  return async (app) => {
    if (webFolder === undefined) return;
    app.get('/admin', async (_request, reply) => sendPage(reply, webFolder));
    app.get<{ Params: { '*': string } }>('/admin/*', async ({ params }, reply) => {
      if (API_PATH.test(params['*'])) throw new AppError('route.not-found', 'There is nothing at this path');
      return sendPage(reply, webFolder);
    });
    await app.register(fastifyStatic, {
      root: join(webFolder, 'admin/assets'),
      prefix: '/admin/assets/',
      decorateReply: false,
      immutable: true,
      preCompressed: true,
      maxAge: ASSETS_MAX_AGE_MS,
      setHeaders: (reply) => void reply.header('Content-Security-Policy', ADMIN_POLICY),
    });
  };
}

/** Read anew each time: the page is small, and a new build shows at once. */
async function sendPage(reply: FastifyReply, webFolder: string): Promise<FastifyReply> {
  const page = await readFile(join(webFolder, 'admin/index.html'), 'utf8').catch((cause: unknown) => {
    throw new AppError('route.not-found', 'The admin pages are not built: npm run setup builds them', { cause });
  });
  return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page);
}
