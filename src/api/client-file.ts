import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { sendTagged, tagged } from './entity-tag.ts';

export type ClientFileDeps = {
  /** Built pages (`web/dist`); undefined when there are none. */
  readonly webFolder: string | undefined;
  /** Of the product, and of its client. */
  readonly version: string;
};

const YEAR_SECONDS = 31_536_000;

/**
 * The client as one module for pages of any origin: `/client.js`, asked for anew by its tag, and under the version,
 * kept for a year. An address of another version leads to the present one, so that no page breaks by an upgrade.
 */
export function clientFile({ webFolder, version }: ClientFileDeps): FastifyPluginAsync {
  return async (app) => {
    if (webFolder === undefined) return;
    // Read anew each time: it is small, and a new build shows at once.
    const read = async () => tagged(await readFile(join(webFolder, 'client.js')), 'text/javascript; charset=utf-8');
    app.get('/client.js', async (request, reply) => {
      openToAll(reply, 'no-cache');
      return sendTagged(request, reply, await read());
    });
    app.get<{ Params: { version: string } }>('/client/:version/client.js', async (request, reply) => {
      const isPresent = request.params.version === version;
      openToAll(reply, isPresent ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      if (!isPresent) return reply.redirect('/client.js');
      return sendTagged(request, reply, await read());
    });
  };
}

/** Modules are fetched with CORS, also by pages of other origins. */
function openToAll(reply: FastifyReply, cacheControl: string): void {
  reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': cacheControl });
}
