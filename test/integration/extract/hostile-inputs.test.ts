import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type Extraction } from '../../../src/extract/extraction.ts';
import { createParserPool } from '../../../src/extract/files/parser-pool.ts';
import { hostileFiles } from '../../helpers/hostile-files.ts';
import { type HostileInput, hostileMarkup } from '../../helpers/hostile-markup.ts';

/** `HOSTILE_INPUTS=all` reads also those that take seconds each. */
const isLong = process.env['HOSTILE_INPUTS'] === 'all';
/** With both tries in a child (design: pool). */
const MAX_MS = 20_000;
/** A page at the limits costs 200 to 450 ms of a busy machine; what grows with the square of its size costs far more. */
const MAX_PAGE_CPU_MS = 3_000;
const MAX_LAG_MS = 200;

const SECRET = 'nobody-may-read-this-7391';
const folder = mkdtempSync(join(tmpdir(), 'fossick-hostile-'));
const path = join(folder, 'secret.txt');
writeFileSync(path, SECRET);

let connections = 0;
const canary: Server = createServer((socket) => {
  connections++;
  socket.destroy();
});
await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
const { port } = canary.address() as { readonly port: number };
const lures = { url: `http://127.0.0.1:${port}/`, path };

const pool = createParserPool({ processes: 2, timeoutMs: MAX_MS, memoryMb: 512 });
// The first page loads the model, the tables of languages and the detector of charsets.
beforeAll(async () => {
  const latin = Buffer.from(`<p>${'Gr\xfc\xdfe an alle, die hier lesen. '.repeat(20)}`, 'latin1');
  await read({ file: 'first.html', contentType: 'text/html' }, latin);
});
afterAll(async () => {
  await pool[Symbol.asyncDispose]();
  canary.close();
  rmSync(folder, { recursive: true });
});

const wanted = ({ isHeavy = false }: HostileInput) => isLong || !isHeavy;

function read(
  { file, contentType }: Pick<HostileInput, 'file' | 'contentType'>,
  body: Uint8Array,
): Promise<Extraction> {
  const input = {
    url: `https://hostile.example/${file}`,
    body,
    headers: { contentType },
    settings: DEFAULT_EXTRACT_SETTINGS,
    now: Date.UTC(2026, 10, 20),
  };
  return extract({ parseFile: pool.parseFile }, input, new AbortController().signal);
}

/** Text or a reason, within the limits, and nothing that was lured. */
function expectSettled({ status, reason, fields, structure, trace }: Extraction): void {
  if (status !== 'ok') expect(reason).not.toBe('');
  expect(fields.get('Content')?.[0]?.length ?? 0).toBeLessThanOrEqual(1_000_000);
  expect(JSON.stringify([[...fields], structure, trace, reason])).not.toContain(SECRET);
  expect(connections).toBe(0);
}

describe('pages and texts settle within the time of a page', () => {
  const inputs = hostileMarkup(lures).filter(wanted);

  test.each(inputs.map((input) => [input.name, input] as const))('%s', async (_, input) => {
    const body = input.body();
    const before = process.cpuUsage();
    const extraction = await read(input, body);
    const { user, system } = process.cpuUsage(before);
    expectSettled(extraction);
    expect((user + system) / 1_000).toBeLessThan(MAX_PAGE_CPU_MS);
  });
});

describe('files settle in their children', () => {
  const inputs = hostileFiles(lures).filter(wanted);
  const bodies = new Map<HostileInput, Uint8Array>();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  beforeAll(() => {
    for (const input of inputs) bodies.set(input, input.body());
    delay.enable();
  });

  test.concurrent.each(inputs.map((input) => [input.name, input] as const))(
    '%s',
    { timeout: 3 * MAX_MS },
    async (_, input) => {
      expectSettled(await read(input, bodies.get(input) ?? new Uint8Array()));
    },
  );

  test('the process that asks is not held up', () => {
    delay.disable();
    expect(delay.percentile(99) / 1e6).toBeLessThan(MAX_LAG_MS);
  });
});
