import type { FastifyRequest } from 'fastify';
import { pagePathOf } from '../../accounts/hosted-page.ts';
import type { Engine } from '../../core/records.ts';

export type SearchPageDeps = {
  /** Where visitors reach the api; undefined when the operator has not said so. */
  readonly publicUrl: string | undefined;
  /** That of visitors where operators have another one; undefined where all is at one port. */
  readonly visitorPort: number | undefined;
};

/**
 * Where the search page of an engine is opened: a path of the address asked, or a whole address where visitors have
 * another port. null while the page is not published.
 */
export function searchPageAddress(
  { publicUrl, visitorPort }: SearchPageDeps,
  { headers }: FastifyRequest,
  engine: Engine,
): string | null {
  if (engine.settings.page?.published !== true) return null;
  const path = `/s/${pagePathOf(engine)}`;
  if (visitorPort === undefined) return path;
  const address = URL.parse(path, publicUrl ?? `http://${headers.host}`);
  if (address === null) return path;
  if (publicUrl === undefined) address.port = String(visitorPort);
  return address.href;
}
