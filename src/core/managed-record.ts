import { AppError } from './errors.ts';

type ManagedRecord = { readonly id: number; readonly managedBy: string | undefined };

/**
 * `change`: what to do in the file.
 * @throws AppError `record.managed` when a provision file owns the record
 */
export function refuseManaged(noun: string, { id, managedBy }: ManagedRecord, change = 'change it'): void {
  if (managedBy === undefined) return;
  const message = `The ${noun} ${id} is managed by ${managedBy}: ${change} there and run fossick apply`;
  throw new AppError('record.managed', message);
}
