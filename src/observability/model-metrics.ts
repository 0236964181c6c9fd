import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Of the models of a process now. */
export type ModelLoad = { readonly openBreakers: number; readonly waiting: number };

/** What calls of language models count. Labels are closed sets, never a text or the name of a model. */
export type ModelMetrics = {
  readonly requests: Counter<'purpose' | 'outcome'>;
  readonly firstDelta: Histogram;
  readonly tokens: Counter<'direction'>;
  /** Shows what `read` gives whenever the metrics are read. */
  watch(read: () => ModelLoad): void;
};

const FIRST_DELTA_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function createModelMetrics(registry: Registry): ModelMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) => {
    const shown: Gauge = new Gauge({ name, help, registers, collect: () => shown.set(read()) });
  };
  return {
    requests: new Counter({
      name: 'fossick_llm_requests_total',
      help: 'Calls of language models, by how they ended',
      labelNames: ['purpose', 'outcome'],
      registers,
    }),
    firstDelta: new Histogram({
      name: 'fossick_llm_first_delta_seconds',
      help: 'Time from a call of a language model to its first text',
      buckets: FIRST_DELTA_BUCKETS,
      registers,
    }),
    tokens: new Counter({
      name: 'fossick_llm_tokens_total',
      help: 'Tokens of language models, counted by the provider or estimated',
      labelNames: ['direction'],
      registers,
    }),
    watch(read) {
      gauge('fossick_llm_breaker_open', 'Models that are not asked for a while', () => read().openBreakers);
      gauge('fossick_llm_queue_depth', 'Calls that wait for their turn', () => read().waiting);
    },
  };
}
