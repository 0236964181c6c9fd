import type { RunPageLoop } from '../../../src/fetch/page-loop.ts';

/** A page loop without Crawlee: what could take its place, and what it costs. */
export const runPlainLoop: RunPageLoop = async ({ next, visit, concurrency, signal }) => {
  const active = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
  };
  while (!signal.aborted && failure === undefined) {
    if (active.size >= concurrency) {
      await Promise.race(active);
      continue;
    }
    const item = await next().catch(fail);
    if (item === undefined) break;
    const visiting = visit(item)
      .catch(fail)
      .finally(() => active.delete(visiting));
    active.add(visiting);
  }
  await Promise.all(active);
  if (failure !== undefined) throw failure.error;
};
