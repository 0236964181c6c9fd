import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What answers count. Labels are closed sets, never a text, URL or customer. */
export type AnswerMetrics = {
  readonly answers: Counter<'kind' | 'composer' | 'outcome'>;
  readonly refusals: Counter<'reason'>;
  readonly sentencesDropped: Counter<'check'>;
  readonly retrieval: Histogram;
  readonly firstByte: Histogram;
  readonly answer: Histogram;
  readonly cache: Counter<'result'>;
  /** Questions that vectors were asked for: those that had one, and those that were answered by words alone. */
  readonly vectors: Counter<'outcome'>;
  /** Golden questions as they were answered. */
  readonly golden: Counter<'composer' | 'outcome'>;
  /** Answers that were given although their conversation could not be read or written. */
  readonly historyLost: Counter<'step'>;
};

const RETRIEVAL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const ANSWER_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createAnswerMetrics(registry: Registry): AnswerMetrics {
  const registers = [registry];
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `fossick_ai_${name}_seconds`, help, buckets, registers });
  const counter = <Label extends string>(name: string, labelNames: readonly Label[], help: string) =>
    new Counter({ name: `fossick_ai_${name}_total`, labelNames, help, registers });
  return {
    answers: counter('answers', ['kind', 'composer', 'outcome'], 'Answers and summaries, by author and by end'),
    refusals: counter('refusals', ['reason'], 'Questions that were not answered'),
    sentencesDropped: counter('sentences_dropped', ['check'], 'Sentences that no passage supports, by what told'),
    retrieval: histogram('retrieval', 'Time to find and rank the passages of a question', RETRIEVAL_BUCKETS),
    firstByte: histogram('first_byte', 'Time from the question to the first verified sentence', ANSWER_BUCKETS),
    answer: histogram('answer', 'Time from the question to the end of its answer', ANSWER_BUCKETS),
    cache: counter('cache', ['result'], 'Questions that stand alone: answered as before, or anew'),
    vectors: counter('vectors', ['outcome'], 'Questions by whether the embedding model gave their vector'),
    golden: counter('golden', ['composer', 'outcome'], 'Golden questions, by whether they were answered right'),
    historyLost: counter('history_lost', ['step'], 'Answers whose conversation could not be read or written'),
  };
}

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
