import type { Crawler, Engine } from '../core/records.ts';
import type { AccountSnapshots } from './engine-snapshot.ts';

type Accounts = Pick<AccountSnapshots, 'read'>;

export type EngineAccess = { readonly engine: Engine; readonly crawlers: readonly Crawler[] };

/** The engine with its crawlers; undefined when there is none, or when it is another customer's. */
export async function findEngine(
  deps: { readonly accounts: Accounts },
  customerId: number,
  engineId: number,
): Promise<EngineAccess | undefined> {
  const { enginesById, crawlersByEngine } = await deps.accounts.read();
  const engine = enginesById.get(engineId);
  if (engine?.customerId !== customerId) return undefined;
  return { engine, crawlers: crawlersByEngine.get(engineId) ?? [] };
}
