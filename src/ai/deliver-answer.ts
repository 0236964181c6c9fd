import { AppError } from '../core/errors.ts';
import { type ModelFault, modelFaultOf } from '../llm/model-fault.ts';
import type { AnswerEvent, AnswerSegment, ComposerName, RefusalReason } from './answer-event.ts';

/** How a generation ended. */
export type GenerationEnd = {
  /** Undefined = at least one verified claim came. */
  readonly refusal: RefusalReason | undefined;
  /** Half of its claims or more were dropped. */
  readonly isDegraded: boolean;
};

/** Verified segments of one answer generator, as they are written. */
export type AnswerGenerator = () => AsyncGenerator<AnswerSegment, GenerationEnd>;

export type Delivery = {
  readonly extractive: AnswerGenerator;
  /** Undefined = no model is asked. */
  readonly model: AnswerGenerator | undefined;
  /** Whether passages answer in place of a model that fails. */
  readonly hasFallback: boolean;
  /** Fixed sentences. Without one for a refusal, what is refused is an error: of summaries. */
  readonly messages: { readonly refusal: string | undefined; readonly incomplete: string };
  /** Nobody waits for the answer any more. */
  readonly isAbandoned: () => boolean;
  /** Told each error that the answer goes on without. */
  readonly onSurvived: (error: unknown) => void;
};

/** Whether passages answer in place of a model that fails: cfg `AI_FALLBACK`, `AI_STREAM_FALLBACK`. */
export type FallbackSettings = { readonly whole: boolean; readonly stream: boolean };

export type DeliveryForm = keyof FallbackSettings;

/** An answer in the form that its caller reads it in. */
export function deliverAnswer(
  { fallbacks }: { readonly fallbacks: FallbackSettings },
  input: Pick<Delivery, 'extractive' | 'model' | 'messages' | 'onSurvived'> & {
    readonly form: DeliveryForm;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<AnswerEvent, void> {
  const { form, signal, ...generators } = input;
  const isAbandoned = () => signal.aborted && !isTimeout(signal.reason);
  const delivery = { ...generators, hasFallback: fallbacks[form], isAbandoned };
  return form === 'whole' ? deliverWhole(delivery) : deliverStream(delivery);
}

/** The model is left out on purpose: passages answer, fallback or not. */
const WITHHELD: ReadonlySet<ModelFault> = new Set(['budget-spent']);
/** The model began and became too slow: what it said until then may stand. */
const TOO_SLOW: ReadonlySet<ModelFault> = new Set(['stalled', 'timeout']);

type Written = {
  readonly segments: readonly AnswerSegment[];
  readonly end: GenerationEnd;
  readonly isIncomplete: boolean;
};

/**
 * An answer whose text is sent when it is complete: what fails on the way is replaced before anybody sees it (answers
 * design 8.3, 13).
 *
 * @throws AppError `llm.unavailable` when the model fails and nothing replaces it, `summary.insufficient-context`
 */
export async function* deliverWhole(delivery: Delivery): AsyncGenerator<AnswerEvent, void> {
  const { model, extractive } = delivery;
  if (model === undefined) return yield* emit(delivery, 'extractive', await write(extractive));
  const written = await writeByModel(delivery, model);
  if (written === undefined) {
    const quoted = await write(extractive);
    return yield* emit(delivery, 'extractive', quoted, true);
  }
  const isSound = written.end.refusal === undefined && !written.end.isDegraded;
  if (isSound || written.end.refusal === 'model-refused' || written.end.refusal === 'filtered') {
    return yield* emit(delivery, 'model', written);
  }
  const quoted = await write(extractive);
  if (quoted.end.refusal === undefined) return yield* emit(delivery, 'extractive', quoted);
  const refused = { refusal: 'no-valid-citation', isDegraded: false } as const;
  yield* emit(delivery, 'model', { segments: [], end: refused, isIncomplete: false });
}

/**
 * An answer whose segments are sent as they are verified. Until the first one, or the refusal, there is no event, so that
 * a fault still has its own status.
 *
 * @throws AppError `stream.unavailable` when the model fails before the first segment and nothing replaces it,
 *   `summary.insufficient-context`
 */
export async function* deliverStream(delivery: Delivery): AsyncGenerator<AnswerEvent, void> {
  const { model, extractive } = delivery;
  if (model === undefined) return yield* passOn(delivery, 'extractive', extractive());
  const writing = model();
  try {
    const first = await firstOf(delivery, writing);
    if (first === undefined) return yield* passOn(delivery, 'extractive', extractive(), true);
    // Nothing was sent: quotes of the same passages answer in place of what they do not support.
    if (first.done && first.value.refusal === 'no-valid-citation')
      return yield* passOn(delivery, 'extractive', extractive());
    yield* passOn(delivery, 'model', resumed(first, writing));
  } finally {
    // Who leaves at the first event leaves the model, too.
    await writing.return({ refusal: undefined, isDegraded: false });
  }
}

type Generation = ReturnType<AnswerGenerator>;
type GenerationStep = IteratorResult<AnswerSegment, GenerationEnd>;

/** Undefined when passages are to answer instead. */
async function firstOf(delivery: Delivery, writing: Generation): Promise<GenerationStep | undefined> {
  try {
    return await writing.next();
  } catch (error) {
    if (!isModelFailure(delivery, error)) throw error;
    if (!isReplaced(delivery, error)) throw streamUnavailable(error);
    delivery.onSurvived(error);
    return undefined;
  }
}

async function* resumed(first: GenerationStep, writing: Generation): Generation {
  if (first.done) return first.value;
  yield first.value;
  return yield* writing;
}

/** Undefined when passages are to answer instead. */
async function writeByModel(delivery: Delivery, model: AnswerGenerator): Promise<Written | undefined> {
  const segments: AnswerSegment[] = [];
  try {
    return await write(model, segments);
  } catch (error) {
    if (!isModelFailure(delivery, error)) throw error;
    if (isFault(error, TOO_SLOW) && segments.some(({ citations }) => citations.length > 0)) {
      delivery.onSurvived(error);
      return { segments, end: { refusal: undefined, isDegraded: false }, isIncomplete: true };
    }
    if (!isReplaced(delivery, error)) throw error;
    delivery.onSurvived(error);
    return undefined;
  }
}

async function write(generate: AnswerGenerator, segments: AnswerSegment[] = []): Promise<Written> {
  const writing = generate();
  for (;;) {
    const { done, value } = await writing.next();
    if (done) return { segments, end: value, isIncomplete: false };
    segments.push(value);
  }
}

function* emit(
  { messages }: Delivery,
  composer: ComposerName,
  { segments, end, isIncomplete }: Written,
  isFallback = false,
): Generator<AnswerEvent, void> {
  const refusal = end.refusal === undefined ? undefined : refusalSegment(messages);
  yield { type: 'start', composer, isFallback };
  if (refusal !== undefined) yield refusal;
  else for (const segment of segments) yield { type: 'segment', ...segment };
  yield { type: 'end', outcome: { ...end, isIncomplete } };
}

/**
 * Events of a generation that is still written. Behind the first of them the status is sent, so whatever breaks it off
 * then, a defect of ours too, ends the answer with a sentence about it.
 */
async function* passOn(
  delivery: Delivery,
  composer: ComposerName,
  segments: AsyncGenerator<AnswerSegment, GenerationEnd>,
  isFallback = false,
): AsyncGenerator<AnswerEvent, void> {
  let hasBegun = false;
  try {
    for await (const event of eventsOf(delivery, { type: 'start', composer, isFallback }, segments)) {
      hasBegun = true;
      yield event;
    }
  } catch (error) {
    if (!hasBegun || delivery.isAbandoned()) throw error;
    delivery.onSurvived(error);
    yield fixedSegment(`\n\n${delivery.messages.incomplete}`);
    yield { type: 'end', outcome: { refusal: undefined, isIncomplete: true, isDegraded: false } };
  }
}

async function* eventsOf(
  { messages }: Delivery,
  start: AnswerEvent,
  segments: AsyncGenerator<AnswerSegment, GenerationEnd>,
): AsyncGenerator<AnswerEvent, void> {
  let hasBegun = false;
  try {
    for (let next = await segments.next(); ; next = await segments.next()) {
      const refusal = next.done && next.value.refusal !== undefined ? refusalSegment(messages) : undefined;
      if (!hasBegun) yield start;
      hasBegun = true;
      if (refusal !== undefined) yield refusal;
      if (next.done) return yield { type: 'end', outcome: { ...next.value, isIncomplete: false } };
      yield { type: 'segment', ...next.value };
    }
  } finally {
    await segments.return({ refusal: undefined, isDegraded: false });
  }
}

function refusalSegment({ refusal }: Delivery['messages']): AnswerEvent {
  if (refusal !== undefined) return fixedSegment(refusal);
  throw new AppError('summary.insufficient-context', 'The sources do not hold enough on the query for a summary');
}

/**
 * Whether the model is to blame, or the deadline of the request, which ends its call with an `AbortError`. Everything
 * else is a refusal or a defect, and nothing may stand in for it.
 */
function isModelFailure(delivery: Delivery, error: unknown): boolean {
  if (delivery.isAbandoned()) return false;
  return (
    modelFaultOf(error) !== undefined ||
    (error instanceof DOMException && error.name === 'AbortError') ||
    isTimeout(error)
  );
}

function isReplaced({ hasFallback }: Delivery, error: unknown): boolean {
  return hasFallback || isFault(error, WITHHELD);
}

function isFault(error: unknown, faults: ReadonlySet<ModelFault>): boolean {
  const fault = modelFaultOf(error);
  return fault !== undefined && faults.has(fault.reason);
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

function fixedSegment(text: string): AnswerEvent {
  return { type: 'segment', text, citations: [] };
}

function streamUnavailable(cause: unknown): AppError {
  const details = modelFaultOf(cause) ?? {};
  return new AppError('stream.unavailable', 'The language model gave no usable answer', { cause, details });
}
