import { join } from 'node:path';
import { AppError, type AppErrorOptions, type ErrorCode } from '../../core/errors.ts';

/** Where a store lies: `system.db`, `engines/<engineId>/store.db`. */
export function storePath(dataDir: string, target: StoreTarget): string {
  return target.kind === 'system'
    ? join(dataDir, 'system.db')
    : join(dataDir, 'engines', String(target.engineId), 'store.db');
}

/** Which store of a data folder a write goes to. */
export type StoreTarget = { readonly kind: 'system' } | { readonly kind: 'engine'; readonly engineId: number };

export type StoreFile = { readonly kind: StoreTarget['kind']; readonly path: string };

/** To the write thread. Version 3. */
export type WriteRequest =
  | {
      readonly type: 'write';
      readonly id: number;
      readonly file: StoreFile;
      readonly name: string;
      readonly parameters: readonly unknown[];
    }
  | { readonly type: 'open'; readonly id: number; readonly file: StoreFile }
  | { readonly type: 'close'; readonly id: number; readonly file: StoreFile };

/** From the write thread. */
export type WriteReply =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly id: number; readonly ok: false; readonly error: SentError };

export type SentError = {
  readonly code: ErrorCode | undefined;
  readonly message: string;
  readonly stack: string | undefined;
  readonly options: Omit<AppErrorOptions, 'cause'>;
};

export function toSentError(error: unknown): SentError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (!(error instanceof AppError)) return { code: undefined, message, stack, options: {} };
  const { cause: _, ...options } = error.options;
  return { code: error.code, message, stack, options };
}

export function fromSentError(sent: SentError): Error {
  const cause = Object.assign(new Error(sent.message), { stack: sent.stack });
  return sent.code === undefined ? cause : new AppError(sent.code, sent.message, { ...sent.options, cause });
}
