import type { TestProject } from 'vitest/node';
import { startOpenSearch } from './opensearch-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a node for the tests of this run, each with indexes of its own. */
    openSearchUrl: string;
  }
}

/** Global set-up of the project `cluster-spec`: one node for all its files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startOpenSearch();
  project.provide('openSearchUrl', server.url);
  return async () => await server[Symbol.asyncDispose]();
}
