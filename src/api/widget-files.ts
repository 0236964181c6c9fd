import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { AppError } from '../core/errors.ts';

export type WidgetDeps = {
  /** Built pages (`web/dist`); undefined when there are none. */
  readonly webFolder: string | undefined;
};

const WIDGET_BUILD = z.object({ version: z.string(), integrity: z.string() });
export type WidgetBuild = z.output<typeof WIDGET_BUILD>;

/** So long a page may show the widget of before an upgrade. */
const SCRIPT_MAX_AGE_MS = 300_000;
const VERSION_MAX_AGE_MS = 31_536_000_000;

/** Any page may load it, and compare it with the digest in its tag. */
const OPEN_TO_ALL = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** The embeddable search: `/widget.js` is that of now, an address with its version never changes. */
export function widgetFiles({ webFolder }: WidgetDeps): FastifyPluginAsync {
  return async (app) => {
    if (webFolder === undefined) return;
    await app.register(fastifyStatic, {
      root: join(webFolder, 'widget'),
      prefix: '/widget/',
      immutable: true,
      maxAge: VERSION_MAX_AGE_MS,
      preCompressed: true,
      setHeaders: (reply) => void reply.headers(OPEN_TO_ALL),
    });
    app.get('/widget.js', async (_request, reply) => {
      const { version } = await readWidgetBuild({ webFolder });
      return reply.sendFile(`${version}/widget.js`, { maxAge: SCRIPT_MAX_AGE_MS, immutable: false });
    });
  };
}

/** Read anew each time: a new build shows at once. @throws AppError `record.not-found` */
export async function readWidgetBuild({ webFolder }: WidgetDeps): Promise<WidgetBuild> {
  const text = webFolder && (await readFile(join(webFolder, 'widget.json'), 'utf8').catch(() => undefined));
  if (!text) throw new AppError('record.not-found', 'The widget is not built: npm run setup builds it');
  return WIDGET_BUILD.parse(JSON.parse(text));
}
