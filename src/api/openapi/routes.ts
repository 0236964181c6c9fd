import { readFile } from 'node:fs/promises';
import type { FastifyPluginAsync } from 'fastify';
import { yieldBriefly } from '../../core/yield.ts';
import { sendTagged, type Tagged, tagged } from '../entity-tag.ts';
import type { OpenApiDocument } from './document.ts';
import { DOCS_POLICY, docsPage } from './page.ts';

export type DescriptionDeps = {
  /** The generated OpenAPI document. */
  readonly openApiFile: string;
};

/** The description of the interface, for programs and for people. The file is read once, before the first request. */
export function descriptionRoutes({ openApiFile }: DescriptionDeps): FastifyPluginAsync {
  return async (app) => {
    const json = await readFile(openApiFile);
    const document = tagged(json, 'application/json; charset=utf-8');
    let page: Promise<Tagged> | undefined;
    app.get('/openapi.json', async (request, reply) => {
      reply.header('Cache-Control', 'no-cache');
      return sendTagged(request, reply, document);
    });
    app.get('/docs', async (request, reply) => {
      page ??= makePage(JSON.parse(json.toString()) as OpenApiDocument);
      reply.headers({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': DOCS_POLICY });
      return sendTagged(request, reply, await page);
    });
  };
}

/** In slices, as it takes some 10 ms of processor time. */
async function makePage(document: OpenApiDocument): Promise<Tagged> {
  let page = '';
  for (const piece of docsPage(document)) {
    page += piece;
    await yieldBriefly();
  }
  return tagged(page, 'text/html; charset=utf-8');
}
