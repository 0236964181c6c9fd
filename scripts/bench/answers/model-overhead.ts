import { Agent, request } from 'node:http';
import { openLanguageModels } from '../../../src/compose/models/language-model.ts';
import { CONFIG } from '../../../src/config/config.ts';
import type { ModelRequest } from '../../../src/llm/language-model.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { percentile } from './percentile.ts';

const DELTAS_PER_SENTENCE = 11;
const LONG_SENTENCES = 40;
const WARM_UP = 30;

type Timing = { readonly firstMs: number; readonly cpuMs: number };

/** What stands between a model and its reader, against Node's own client that looks for no more than frames. */
export async function measureModelOverhead(baseUrl: string, calls: number): Promise<void> {
  const short = await compare(baseUrl, { sentences: 1, calls });
  const long = await compare(baseUrl, { sentences: LONG_SENTENCES, calls });
  const first = (which: Client, share: number) =>
    percentile(
      short.map((timing) => timing[which].firstMs),
      share,
    );
  const cpu = (which: Client) => long.reduce((sum, timing) => sum + timing[which].cpuMs, 0) / calls;
  const deltas = LONG_SENTENCES * DELTAS_PER_SENTENCE;
  console.log(`first text, plain client         ${figures('plain', first)}`);
  console.log(`first text, through the port     ${figures('guarded', first)}`);
  console.log(`  added to the first text        p50 ${(first('guarded', 0.5) - first('plain', 0.5)).toFixed(2)} ms`);
  console.log(`  added CPU for each delta       ${(((cpu('guarded') - cpu('plain')) * 1_000) / deltas).toFixed(1)} µs`);
}

type Client = 'plain' | 'guarded';

function figures(which: Client, first: (which: Client, share: number) => number): string {
  return `p50 ${first(which, 0.5).toFixed(2)} ms, p99 ${first(which, 0.99).toFixed(2)} ms`;
}

/** Both clients in turns, on answers of as many sentences. */
async function compare(baseUrl: string, { sentences, calls }: { sentences: number; calls: number }) {
  await using stack = new AsyncDisposableStack();
  const name = `long:${sentences}`;
  const config = CONFIG.parse({ LLM_BASE_URL: baseUrl, LLM_MODEL: name });
  const log = createLogger({ level: 'warn', name: 'bench' });
  const models = await openLanguageModels(stack, { config, log, metrics: createMetrics() });
  const model = models?.forEngine(1).answer;
  if (model === undefined) throw new Error('a model is configured');
  const agent = new Agent({ keepAlive: true });
  stack.defer(() => agent.destroy());
  const guarded = () => timed((first) => readAll(model.stream(REQUEST, new AbortController().signal), first));
  const plain = () => timed((first) => readPlainly({ baseUrl, name, agent }, first));

  for (let i = 0; i < WARM_UP; i++) await plain().then(guarded);
  const timings: Readonly<Record<Client, Timing>>[] = [];
  for (let i = 0; i < calls; i++) timings.push({ plain: await plain(), guarded: await guarded() });
  return timings;
}

const REQUEST: ModelRequest = {
  purpose: 'answer',
  maxOutputTokens: 900,
  temperature: 0.1,
  messages: [{ role: 'user', content: 'question '.repeat(1_500) }],
};

async function timed(read: (first: () => void) => Promise<void>): Promise<Timing> {
  const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
  let firstMs = Number.NaN;
  await read(() => {
    if (Number.isNaN(firstMs)) firstMs = performance.now() - startedAt;
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  return { firstMs, cpuMs: (user + system) / 1_000 };
}

async function readAll(events: AsyncIterable<unknown>, first: () => void): Promise<void> {
  for await (const _event of events) first();
}

async function readPlainly(
  { baseUrl, name, agent }: { readonly baseUrl: string; readonly name: string; readonly agent: Agent },
  first: () => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sent = request(`${baseUrl}/chat/completions`, { method: 'POST', agent }, (response) => {
    response.on('data', (chunk: Buffer) => {
      if (chunk.includes('"content":"T')) first();
    });
    response.on('end', resolve);
    response.on('error', reject);
  });
  sent.on('error', reject);
  const { messages, maxOutputTokens: max_tokens, temperature } = REQUEST;
  sent.end(JSON.stringify({ model: name, messages, max_tokens, temperature, stream: true }));
  await promise;
}
