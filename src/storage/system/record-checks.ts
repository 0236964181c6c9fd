import { AppError } from '../../core/errors.ts';
import { fetchFirst, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import type { Actor, RecordChange } from './accounts.ts';

/** One change inside its write: where it is applied and what its audit row says besides. */
export type Write = { readonly actor: Actor; readonly at: number };
export type ChangeOf<Kind extends RecordChange['kind']> = Extract<RecordChange, { kind: Kind }>;

export function* requireCustomer(id: number): Operation<void> {
  const known = yield* fetchFirst(systemSql.selectFrom('customers').select('id').where('id', '=', id));
  if (known === undefined) throw notFound('Customer', id);
}

type Compared<Stored> = {
  readonly seen: Stored | 'none' | undefined;
  readonly present: Stored | undefined;
  readonly isMatched?: boolean | undefined;
};

/**
 * What is there now is what the change was made from.
 * @throws AppError `record.conflict` · `record.changed` where the caller has named that version · `record.not-found`
 */
export function requireSeen<Stored extends object>(
  noun: string,
  id: number,
  { seen, present, isMatched = false }: Compared<Stored>,
): void {
  if (seen === undefined) return;
  if (seen === 'none') {
    if (present !== undefined) throw new AppError('record.conflict', `There is a ${noun.toLowerCase()} ${id} already`);
    return;
  }
  if (present === undefined) throw notFound(noun, id);
  if (puttable(present) === puttable(seen)) return;
  const code = isMatched ? 'record.changed' : 'record.conflict';
  throw new AppError(code, `${noun} ${id} was changed meanwhile: look at it and send the change again`);
}

/** Members that no put replaces. */
const UNSEEN = ['active', 'activeSince', 'activation', 'hasPassword', 'lastSignInAt'];

/** What a put replaces, as text. */
function puttable(record: object): string {
  const rest = Object.entries(record).filter(([name]) => !UNSEEN.includes(name));
  return JSON.stringify(Object.fromEntries(rest));
}

export function notFound(noun: string, id: number): AppError {
  return new AppError('record.not-found', `${noun} ${id} does not exist`);
}
