import { memoryUsage } from 'node:process';
import { cpuOf } from '../process-costs.ts';
import { readCorpus } from './corpus-file.ts';
import type { Peer } from './peer.ts';
import type { FromPeer, ToPeer } from './peer-messages.ts';

/** Runs one engine, named by the first argument, on the requests of the parent process. */
const name = process.argv[2] ?? '';
const { createPeer } = (await import(`./peers/${name}.ts`)) as { createPeer: () => Peer | Promise<Peer> };
const peer = await createPeer();

process.on('message', (request: ToPeer) => {
  answer(request).then(send, (error: unknown) => send({ kind: 'failed', reason: String(error).slice(0, 300) }));
});
send({ kind: 'ready' });

async function answer(request: ToPeer): Promise<FromPeer> {
  switch (request.kind) {
    case 'build':
      return measured('built', () => peer.build(readCorpus(request.corpus), request.directory, request.atRest));
    case 'open':
      return peer.open === undefined ? { kind: 'cannot' } : measured('opened', () => peer.open?.(request.directory));
    case 'run':
      return peer.can(request.className) ? run(request) : { kind: 'cannot' };
    case 'rank':
      return { kind: 'cannot' };
  }
}

async function measured(kind: 'built' | 'opened', work: () => unknown): Promise<FromPeer> {
  const startedAt = performance.now();
  const cpuMs = await cpuOf(work);
  const wallMs = performance.now() - startedAt;
  globalThis.gc?.();
  return { kind, cpuMs, wallMs, rss: memoryUsage.rss() };
}

/** A class runs at least this long, so that what the compiler does at first does not count for fast engines. */
const LEAST_MS = 400;

/** Repeats the queries up to `LEAST_MS`; stops early when they take longer than the budget. */
async function run({ queries, budgetMs }: Extract<ToPeer, { kind: 'run' }>): Promise<FromPeer> {
  const cpuMs: number[] = [];
  const totals: number[] = [];
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  for (let i = 0; i < queries.length || elapsedMs() < LEAST_MS; i++) {
    const query = queries[i % queries.length];
    if (query === undefined || elapsedMs() > budgetMs) break;
    let total = 0;
    cpuMs.push(
      await cpuOf(async () => {
        total = (await peer.search(query)).total;
      }),
    );
    totals.push(total);
  }
  return { kind: 'ran', cpuMs, totals };
}

function send(message: FromPeer): void {
  process.send?.(message);
}
