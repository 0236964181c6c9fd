import { randomBytes } from 'node:crypto';
import type { SystemStore } from '../storage/system-store.ts';

/** The key that signs query ids: the configured one, else one made and stored at first start. Contract: 1.8. */
export async function queryIdSecret(
  deps: { readonly store: Pick<SystemStore, 'rememberOnce'> },
  configured: string | undefined,
): Promise<string> {
  return configured ?? deps.store.rememberOnce('query_id_secret', () => randomBytes(32).toString('hex'));
}
