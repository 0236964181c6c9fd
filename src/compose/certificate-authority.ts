import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { invalidRequest } from '../core/errors.ts';

/** PEM of `LLM_CA_FILE`. @throws AppError `request.invalid` when it cannot be read */
export async function readAuthority({ LLM_CA_FILE: path }: Config): Promise<string | undefined> {
  if (path === undefined) return undefined;
  return readFile(path, 'utf8').catch(() => {
    throw invalidRequest([{ path: 'LLM_CA_FILE', message: `LLM_CA_FILE: ${path} cannot be read` }]);
  });
}
