import { randomBytes } from 'node:crypto';
import { AppError } from '../../core/errors.ts';
import type { StoreIdentity } from '../../core/store-identity.ts';
import { defineStore, fetchFirst, type Operation, submit } from './operation.ts';
import { engineSql, statement } from './statement.ts';

const EPOCH_BYTES = 16;

/** Both kinds of store have one, given by their migrations. @throws AppError `internal` when it was taken out */
export function* readIdentity(): Operation<StoreIdentity> {
  const storeId = yield* readMeta('store_id');
  const epoch = yield* readMeta('epoch');
  if (storeId === undefined || epoch === undefined) {
    throw new AppError('internal', 'The store does not say which one it is: restore a backup');
  }
  return { storeId, epoch };
}

/** Write operation: what was made of the store before does not belong to it any more. */
export function* startEpoch(): Operation<StoreIdentity> {
  yield* writeMeta('epoch', randomBytes(EPOCH_BYTES).toString('hex'));
  return yield* readIdentity();
}

type StoreWithIdentity = { identity(): Promise<StoreIdentity>; startEpoch(): Promise<StoreIdentity> };

export const identityStore = defineStore<StoreWithIdentity>()({ identity: readIdentity }, { startEpoch });

const find = statement<{ name: string }, { value: string }>(({ name }) =>
  engineSql.selectFrom('meta').select('value').where('name', '=', name),
);
const put = statement<{ name: string; value: string }>(({ name, value }) =>
  engineSql
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
);

/** The value stored under a name of `meta`. Both kinds of store have that table. */
export function* readMeta(name: string): Operation<string | undefined> {
  return (yield* fetchFirst(find, { name }))?.value;
}

export function* writeMeta(name: string, value: string): Operation<void> {
  yield* submit(put, { name, value });
}

/** Write operation: keeps the first value that anybody gave. */
export function* rememberOnce({ name, value }: { name: string; value: string }): Operation<string> {
  const known = yield* readMeta(name);
  if (known !== undefined) return known;
  yield* writeMeta(name, value);
  return value;
}
