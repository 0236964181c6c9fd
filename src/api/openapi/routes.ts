import { readFile } from 'node:fs/promises';
import type { FastifyPluginAsync } from 'fastify';
import { sendTagged, tagged } from '../entity-tag.ts';

export type DescriptionDeps = {
  /** The generated OpenAPI document. */
  readonly openApiFile: string;
};

/** The description of the interface, for programs. The file is read once, before the first request. */
export function descriptionRoutes({ openApiFile }: DescriptionDeps): FastifyPluginAsync {
  return async (app) => {
    const document = tagged(await readFile(openApiFile), 'application/json; charset=utf-8');
    app.get('/openapi.json', async (request, reply) => {
      reply.header('Cache-Control', 'no-cache');
      return sendTagged(request, reply, document);
    });
  };
}
