import { AppError } from '../core/errors.ts';
import { type ModelFault, modelFaultOf } from '../llm/model-fault.ts';
import type { AnswerEvent, AnswerUnit, ComposerName, RefusalReason } from './answer-event.ts';

/** How a draft ended. */
export type DraftEnd = {
  /** Undefined = at least one verified claim came. */
  readonly refusal: RefusalReason | undefined;
  /** Half of its claims or more were dropped. */
  readonly isDegraded: boolean;
};

/** Verified units of one author, as they are written. */
export type Draft = () => AsyncGenerator<AnswerUnit, DraftEnd>;

export type Delivery = {
  readonly extractive: Draft;
  /** Undefined = no model is asked. */
  readonly model: Draft | undefined;
  /** Whether passages answer in place of a model that fails. */
  readonly hasFallback: boolean;
  /** Fixed sentences. Without one for a refusal, what is refused is an error: of summaries. */
  readonly says: { readonly refusal: string | undefined; readonly incomplete: string };
  /** Nobody waits for the answer any more. */
  readonly isAbandoned: () => boolean;
};

/** Whether passages answer in place of a model that fails: cfg `AI_FALLBACK`, `AI_STREAM_FALLBACK`. */
export type FallbackSettings = { readonly whole: boolean; readonly stream: boolean };

export type DeliveryForm = keyof FallbackSettings;

/** An answer in the form that its caller reads it in. */
export function deliverAnswer(
  { fallbacks }: { readonly fallbacks: FallbackSettings },
  input: Pick<Delivery, 'extractive' | 'model' | 'says'> & {
    readonly form: DeliveryForm;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<AnswerEvent, void> {
  const { form, signal, ...authors } = input;
  const isAbandoned = () => signal.aborted && !isTimeout(signal.reason);
  const delivery = { ...authors, hasFallback: fallbacks[form], isAbandoned };
  return form === 'whole' ? deliverWhole(delivery) : deliverStream(delivery);
}

/** The model is left out on purpose: passages answer, fallback or not. */
const WITHHELD: ReadonlySet<ModelFault> = new Set(['budget-spent']);
/** The model began and became too slow: what it said until then may stand. */
const TOO_SLOW: ReadonlySet<ModelFault> = new Set(['stalled', 'timeout']);

type Written = { readonly units: readonly AnswerUnit[]; readonly end: DraftEnd; readonly isIncomplete: boolean };

/**
 * An answer whose text is sent when it is complete: what fails on the way is replaced before anybody sees it (answers
 * design 8.3, 13).
 *
 * @throws AppError `llm.unavailable` when the model fails and nothing replaces it, `summary.insufficient-context`
 */
export async function* deliverWhole(delivery: Delivery): AsyncGenerator<AnswerEvent, void> {
  const { model, extractive } = delivery;
  if (model === undefined) return yield* tell(delivery, 'extractive', await write(extractive));
  const written = await writeByModel(delivery, model);
  if (written === undefined) {
    const quoted = await write(extractive);
    return yield* tell(delivery, 'extractive', quoted, true);
  }
  const isSound = written.end.refusal === undefined && !written.end.isDegraded;
  if (isSound || written.end.refusal === 'model-refused' || written.end.refusal === 'filtered') {
    return yield* tell(delivery, 'model', written);
  }
  const quoted = await write(extractive);
  if (quoted.end.refusal === undefined) return yield* tell(delivery, 'extractive', quoted);
  const refused = { refusal: 'no-valid-citation', isDegraded: false } as const;
  yield* tell(delivery, 'model', { units: [], end: refused, isIncomplete: false });
}

/**
 * An answer whose units are sent as they are verified. Until the first one, or the refusal, there is no event, so that
 * a fault still has its own status.
 *
 * @throws AppError `stream.unavailable` when the model fails before the first unit and nothing replaces it,
 *   `summary.insufficient-context`
 */
export async function* deliverStream(delivery: Delivery): AsyncGenerator<AnswerEvent, void> {
  const { model, extractive } = delivery;
  if (model === undefined) return yield* passOn(delivery, 'extractive', extractive());
  const units = passOn(delivery, 'model', model());
  let first: AnswerEvent | undefined;
  try {
    const { done, value } = await units.next();
    if (!done) first = value;
  } catch (error) {
    if (isInsufficient(error) || delivery.isAbandoned()) throw error;
    if (!isReplaced(delivery, error)) throw streamUnavailable(error);
  }
  if (first === undefined) return yield* passOn(delivery, 'extractive', extractive(), true);
  try {
    yield first;
    yield* units;
  } finally {
    // Who leaves at the first event leaves the model, too.
    await units.return();
  }
}

/** Undefined when passages are to answer instead. */
async function writeByModel(delivery: Delivery, model: Draft): Promise<Written | undefined> {
  const units: AnswerUnit[] = [];
  try {
    return await write(model, units);
  } catch (error) {
    if (delivery.isAbandoned()) throw error;
    if (isFault(error, TOO_SLOW) && units.some(({ citations }) => citations.length > 0)) {
      return { units, end: { refusal: undefined, isDegraded: false }, isIncomplete: true };
    }
    if (!isReplaced(delivery, error)) throw error;
    return undefined;
  }
}

async function write(draft: Draft, units: AnswerUnit[] = []): Promise<Written> {
  const writing = draft();
  for (;;) {
    const { done, value } = await writing.next();
    if (done) return { units, end: value, isIncomplete: false };
    units.push(value);
  }
}

function* tell(
  { says }: Delivery,
  composer: ComposerName,
  { units, end, isIncomplete }: Written,
  isFallback = false,
): Generator<AnswerEvent, void> {
  const refusal = end.refusal === undefined ? undefined : refusalUnit(says);
  yield { type: 'start', composer, isFallback };
  if (refusal !== undefined) yield refusal;
  else for (const unit of units) yield { type: 'unit', ...unit };
  yield { type: 'end', outcome: { ...end, isIncomplete } };
}

/** Events of a draft that is still written; one that breaks off behind its first unit ends with a sentence about it. */
async function* passOn(
  delivery: Delivery,
  composer: ComposerName,
  units: AsyncGenerator<AnswerUnit, DraftEnd>,
  isFallback = false,
): AsyncGenerator<AnswerEvent, void> {
  let hasBegun = false;
  try {
    for await (const event of eventsOf(delivery, { type: 'start', composer, isFallback }, units)) {
      hasBegun = true;
      yield event;
    }
  } catch (error) {
    if (!hasBegun || delivery.isAbandoned()) throw error;
    yield fixedUnit(`\n\n${delivery.says.incomplete}`);
    yield { type: 'end', outcome: { refusal: undefined, isIncomplete: true, isDegraded: false } };
  }
}

async function* eventsOf(
  { says }: Delivery,
  start: AnswerEvent,
  units: AsyncGenerator<AnswerUnit, DraftEnd>,
): AsyncGenerator<AnswerEvent, void> {
  let hasBegun = false;
  try {
    for (let next = await units.next(); ; next = await units.next()) {
      const refusal = next.done && next.value.refusal !== undefined ? refusalUnit(says) : undefined;
      if (!hasBegun) yield start;
      hasBegun = true;
      if (refusal !== undefined) yield refusal;
      if (next.done) return yield { type: 'end', outcome: { ...next.value, isIncomplete: false } };
      yield { type: 'unit', ...next.value };
    }
  } finally {
    await units.return({ refusal: undefined, isDegraded: false });
  }
}

function refusalUnit({ refusal }: Delivery['says']): AnswerEvent {
  if (refusal !== undefined) return fixedUnit(refusal);
  throw new AppError('summary.insufficient-context', 'The sources do not hold enough on the query for a summary');
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

function isInsufficient(error: unknown): boolean {
  return error instanceof AppError && error.code === 'summary.insufficient-context';
}

function fixedUnit(text: string): AnswerEvent {
  return { type: 'unit', text, citations: [] };
}

function streamUnavailable(cause: unknown): AppError {
  const details = modelFaultOf(cause) ?? {};
  return new AppError('stream.unavailable', 'The language model gave no usable answer', { cause, details });
}
