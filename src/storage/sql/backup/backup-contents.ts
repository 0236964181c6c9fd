import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { StoreTarget } from '../write-messages.ts';

/** Form of `backup.json`. Version 1. */
export const BACKUP_VERSION = 1;
/** The last file of a backup: without it the archive was cut off. */
export const CONTENTS_NAME = 'backup.json';
/** Files of the data folder that open what the stores keep sealed; in a backup only when they are asked for. */
export const SECRET_NAMES = ['secrets-key', 'operator-token'] as const;

const whole = z.number().int().nonnegative();
const FILE = { bytes: whole, sha256: z.string().regex(/^[0-9a-f]{64}$/) };

const CONTENTS = z.object({
  version: z.literal(BACKUP_VERSION),
  /** Version of the product that wrote it. */
  product: z.string(),
  /** The instant of which all stores are. */
  takenAt: z.iso.datetime(),
  stores: z.array(
    z.object({
      name: z.string(),
      ...FILE,
      /** Number of the last migration. */
      schemaVersion: whole,
      /** The store, and the part of its history, that the copy is of; absent where an older program made it. */
      storeId: z.string().optional(),
      epoch: z.string().optional(),
      /** Documents of an engine, deleted ones left out. */
      documents: whole.optional(),
    }),
  ),
  secrets: z.array(z.object({ name: z.enum(SECRET_NAMES), ...FILE })),
});

/** What `backup.json` says of the archive that it ends. */
export type BackupContents = z.infer<typeof CONTENTS>;
export type BackupStore = BackupContents['stores'][number];

const STORE_NAME = /^(?:system\.db|engines\/(?<engineId>[1-9][0-9]{0,15})\/store\.db)$/;

/** Name of a store in a backup, which is its path in a data folder. */
export function storeName(target: StoreTarget): string {
  return target.kind === 'system' ? 'system.db' : `engines/${target.engineId}/store.db`;
}

/** The store that a name of a backup stands for; undefined for other files. */
export function storeOfName(name: string): StoreTarget | undefined {
  const found = STORE_NAME.exec(name);
  if (found === null) return undefined;
  const engineId = found.groups?.['engineId'];
  return engineId === undefined ? { kind: 'system' } : { kind: 'engine', engineId: Number(engineId) };
}

/** @throws AppError `internal` when it is no such text, `storage.version-mismatch` when a newer product wrote it */
export function parseContents(text: string): BackupContents {
  const value: unknown = JSON.parse(text);
  const { data: head } = z.object({ version: whole, product: z.string() }).safeParse(value);
  if (head !== undefined && head.version > BACKUP_VERSION) {
    const message = `The backup was written by version ${head.product}: restore it with that version or a newer one`;
    throw new AppError('storage.version-mismatch', message);
  }
  return CONTENTS.parse(value);
}
