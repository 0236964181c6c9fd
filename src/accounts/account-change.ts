import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { AccountStore, Actor, RecordChange } from '../storage/system/accounts.ts';
import type { AccountSnapshot } from './engine-snapshot.ts';

/** What every change of operator records touches. */
export type ChangeDeps = {
  readonly store: AccountStore;
  readonly accounts: Pick<AccountSnapshot, 'drop'>;
  readonly clock: Clock;
};

export const HIGHEST_ID = 2_147_483_647;
export const RECORD_ID = z.int().min(1).max(HIGHEST_ID);
export const RECORD_NAME = z.string().trim().min(1).max(200);
export const LANGUAGE = z.string().regex(/^[a-z]{2}$/, 'must be a two-letter language code such as en');

/** Who asks for a change, and what of it came over the wire. */
export type SentChange = { readonly actor: Actor; readonly sent: unknown };

/** `matched`: the record as the caller has named it by its tag; a change of any other one is `record.changed`. */
export type MatchedChange<Stored> = SentChange & { readonly matched?: Stored | undefined };

/** Durable, and seen by this process, when it resolves. */
export async function changeRecords(
  { store, accounts, clock }: ChangeDeps,
  actor: Actor,
  changes: readonly RecordChange[],
): Promise<readonly number[]> {
  const ids = await store.changeRecords(actor, changes, clock.now());
  accounts.drop();
  return ids;
}

/** @throws AppError `record.not-found` */
export function requireRecord<T>(noun: string, id: number, record: T | undefined): T {
  if (record === undefined) throw new AppError('record.not-found', `There is no ${noun} ${id}`);
  return record;
}

/** @throws AppError `record.conflict` when the id is taken */
export function refuseTaken(noun: string, id: number | undefined, record: unknown): void {
  if (record !== undefined) throw new AppError('record.conflict', `There is a ${noun} ${id} already: take another id`);
}
