import { z } from 'zod';
import { refuseManaged } from '../core/managed-record.ts';
import type { Customer } from '../core/records.ts';
import type { Actor } from '../storage/system/accounts.ts';
import {
  type ChangeDeps,
  changeRecords,
  RECORD_ID,
  RECORD_NAME,
  refuseTaken,
  requireRecord,
  type SentChange,
} from './account-change.ts';
import { type RemovalDeps, removeEngine } from './manage-engines.ts';
import { parseStrictly } from './problems.ts';

export const NEW_CUSTOMER = z.strictObject({ id: RECORD_ID.optional(), name: RECORD_NAME });
export const CHANGED_CUSTOMER = z.strictObject({ name: RECORD_NAME });

/** @throws AppError `request.invalid` · `record.conflict` when the id is taken */
export async function addCustomer(deps: ChangeDeps, { actor, sent }: SentChange): Promise<Customer> {
  const { id, name } = parseStrictly(NEW_CUSTOMER, sent);
  if (id !== undefined) refuseTaken('customer', id, await deps.store.findCustomer(id));
  const [made = 0] = await changeRecords(deps, actor, [
    { kind: 'put-customer', name, ...(id !== undefined && { id }), seen: 'none' },
  ]);
  return requireRecord('customer', made, await deps.store.findCustomer(made));
}

/**
 * @throws AppError `request.invalid` · `record.not-found` · `record.managed` · `record.conflict` when somebody else has
 * changed the customer meanwhile
 */
export async function changeCustomer(
  deps: ChangeDeps,
  { actor, id, sent }: SentChange & { readonly id: number },
): Promise<Customer> {
  const customer = requireRecord('customer', id, await deps.store.findCustomer(id));
  refuseManaged('customer', customer);
  const { name } = parseStrictly(CHANGED_CUSTOMER, sent);
  await changeRecords(deps, actor, [{ kind: 'put-customer', id, name, seen: customer }]);
  return { ...customer, name };
}

/**
 * Removes the customer with its keys, engines, crawlers and all their documents.
 * @throws AppError `record.not-found` · `record.managed`, also for a record of the customer
 */
export async function removeCustomer(
  deps: RemovalDeps,
  { actor, id }: { readonly actor: Actor; readonly id: number },
): Promise<void> {
  const customer = requireRecord('customer', id, await deps.store.findCustomer(id));
  refuseManaged('customer', customer, 'remove it');
  const engines = await deps.store.listEngines(id);
  for (const engine of engines) refuseManaged('engine', engine, 'remove it');
  for (const crawler of await deps.store.listCrawlers({ customerId: id }))
    refuseManaged('crawler', crawler, 'remove it');
  for (const engine of engines) await removeEngine(deps, { actor, id: engine.id });
  await changeRecords(deps, actor, [{ kind: 'remove-customer', id }]);
}
