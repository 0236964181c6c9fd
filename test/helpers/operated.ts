import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningProduct, startProcesses } from './processes.ts';

const TOKEN = 'operator-token-of-end-to-end-tests';
/** An installation that has a crawler makes no sample site. */
const IDLE = {
  version: 1,
  customers: [
    {
      id: 99,
      name: 'Idle',
      keys: [{ name: 'idle', value: 'key-of-nobody' }],
      engines: [{ id: 99, name: 'Idle', language: 'en' }],
      crawlers: [{ id: 99, engine: 99, name: 'Idle', active: false, seeds: [] }],
    },
  ],
};

export type OperatedProduct = RunningProduct & {
  readonly dataDir: string;
  /** A call of the admin API; fails the test unless it is answered with 2xx. */
  readonly admin: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
};

/** The whole product as processes, without work, with its operator. */
export async function startOperated(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<OperatedProduct> {
  const file = join(folder, 'idle.json');
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, JSON.stringify(IDLE));
  const product = await startProcesses({
    dataDir,
    environment: { CONFIG_FILE: file, OPERATOR_TOKEN: TOKEN, ...environment },
  });
  const admin = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${product.address}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
  return { ...product, dataDir, admin };
}
