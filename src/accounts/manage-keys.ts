import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { refuseManaged } from '../core/managed-record.ts';
import { type ApiKey, KEY_SCOPES } from '../core/records.ts';
import type { Actor } from '../storage/system/accounts.ts';
import { type ChangeDeps, changeRecords, RECORD_NAME, requireRecord, type SentChange } from './account-change.ts';
import { parseStrictly } from './problems.ts';

const KEY_BYTES = 32;

/** Each once. */
export const SCOPES = z
  .array(z.enum(KEY_SCOPES))
  .min(1)
  .transform((scopes) => KEY_SCOPES.filter((scope) => scopes.includes(scope)))
  .meta({ description: 'What the key opens; all of the public API without it.' });

export const NEW_KEY = z.strictObject({
  name: RECORD_NAME,
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  scopes: SCOPES.optional(),
});

/** The key itself is shown this once: only its digest is stored. */
export type NewApiKey = { readonly record: ApiKey; readonly key: string };

/** @throws AppError `request.invalid` · `record.not-found` for the customer */
export async function addApiKey(
  deps: ChangeDeps,
  { actor, customerId, sent }: SentChange & { readonly customerId: number },
): Promise<NewApiKey> {
  requireRecord('customer', customerId, await deps.store.findCustomer(customerId));
  const { name, expiresAt, scopes } = parseStrictly(NEW_KEY, sent);
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const limits = {
    ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }),
    ...(scopes !== undefined && { scopes }),
  };
  const [id = 0] = await changeRecords(deps, actor, [
    { kind: 'add-key', customerId, name, sha256: digestOf(key), last4: last4Of(key), ...limits },
  ]);
  return { record: requireRecord('key', id, await findKey(deps, customerId, id)), key };
}

/** A second time it changes nothing. @throws AppError `record.not-found` · `record.managed` */
export async function revokeApiKey(
  deps: ChangeDeps,
  { actor, customerId, id }: { readonly actor: Actor; readonly customerId: number; readonly id: number },
): Promise<void> {
  const key = requireRecord('key', id, await findKey(deps, customerId, id));
  refuseManaged('key', key, 'remove it');
  await changeRecords(deps, actor, [{ kind: 'revoke-key', customerId, id }]);
}

async function findKey({ store }: ChangeDeps, customerId: number, id: number): Promise<ApiKey | undefined> {
  return (await store.listApiKeys(customerId)).find((key) => key.id === id);
}

/** SHA-256 of a key, the only form that is stored: hexadecimal, lower case. Keys are 256 random bits, so no salt. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** What lists show of a key. A key so short that four characters would give it away shows none. */
export function last4Of(key: string): string {
  return key.length >= 16 ? key.slice(-4) : '';
}
