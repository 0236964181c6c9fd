import { AppError } from './errors.ts';

/** What can be taken out of the hands of the provision file that owns it. */
export const RELEASABLE = ['customer', 'engine', 'crawler'] as const;
export type Releasable = (typeof RELEASABLE)[number];

type ManagedRecord = { readonly id: number; readonly managedBy: string | undefined };

/**
 * `change`: what to do in the file.
 * @throws AppError `record.managed` when a provision file owns the record
 */
export function refuseManaged(noun: string, { id, managedBy }: ManagedRecord, change = 'change it'): void {
  if (managedBy === undefined) return;
  const release = RELEASABLE.some((kind) => kind === noun)
    ? `, or take it over with fossick release ${noun} ${id}`
    : '';
  const message = `The ${noun} ${id} is managed by ${managedBy}: ${change} there and run fossick apply${release}`;
  throw new AppError('record.managed', message);
}
