import { describe, expect, test } from 'vitest';
import type { AnswerEvent, AnswerSegment } from '../../../src/ai/answer-event.ts';
import {
  type AnswerGenerator,
  type Delivery,
  deliverStream,
  deliverWhole,
  type GenerationEnd,
} from '../../../src/ai/deliver-answer.ts';
import { AppError } from '../../../src/core/errors.ts';
import { type ModelFault, modelFaultOf, modelUnavailable } from '../../../src/llm/model-fault.ts';

const CITED: AnswerSegment['citations'] = [
  { reference: 1, url: 'u', pageTitle: 't', snippet: 's', crawlerId: 1, documentId: 'd', ordinal: 0, hash: 'h' },
];
const FINE: GenerationEnd = { refusal: undefined, isDegraded: false };
const ATTRIBUTE_BITS = { refusal: 'Sorry.', incomplete: 'Incomplete.' };

/** Units of these texts, then the end, or a fault of the model. */
function draft(texts: readonly string[], end: GenerationEnd | ModelFault | Error = FINE): AnswerGenerator {
  return async function* written() {
    for (const text of texts) yield { text, citations: CITED };
    if (typeof end === 'string') throw modelUnavailable(end);
    if (end instanceof Error) throw end;
    return end;
  };
}

const delivery = (changes: Partial<Delivery>): Delivery => ({
  extractive: draft(['Quoted.']),
  model: undefined,
  hasFallback: true,
  messages: ATTRIBUTE_BITS,
  isAbandoned: () => false,
  onSurvived: () => undefined,
  ...changes,
});

/** Text, author and how it ended; of an error its code. */
async function told(events: AsyncGenerator<AnswerEvent, void>): Promise<string> {
  const parts: string[] = [];
  try {
    for await (const event of events) {
      if (event.type === 'start') parts.push(`${event.composer}${event.isFallback ? ' instead' : ''}:`);
      else if (event.type === 'segment') parts.push(event.text.trim());
      else {
        const { refusal, isIncomplete, isDegraded } = event.outcome;
        parts.push(`(${refusal ?? (isIncomplete ? 'incomplete' : isDegraded ? 'degraded' : 'whole')})`);
      }
    }
  } catch (error) {
    parts.push(error instanceof AppError ? `! ${error.code}` : `! ${String(error)}`);
  }
  return parts.join(' ');
}

const refused = (refusal: GenerationEnd['refusal']): GenerationEnd => ({ refusal, isDegraded: false });
const DEGRADED: GenerationEnd = { refusal: undefined, isDegraded: true };

describe('a whole answer', () => {
  test.each<[string, Partial<Delivery>, string]>([
    ['passages alone', {}, 'extractive: Quoted. (whole)'],
    ['no passage', { extractive: draft([], refused('below-gate')) }, 'extractive: Sorry. (below-gate)'],
    ['a model', { model: draft(['A.', 'B.']) }, 'model: A. B. (whole)'],
    ['a model without an answer', { model: draft([], refused('model-refused')) }, 'model: Sorry. (model-refused)'],
    ['a filtered answer', { model: draft([], refused('filtered')) }, 'model: Sorry. (filtered)'],
    ['nothing verified', { model: draft([], refused('no-valid-citation')) }, 'extractive: Quoted. (whole)'],
    ['half dropped', { model: draft(['A.'], DEGRADED) }, 'extractive: Quoted. (whole)'],
    [
      'half dropped and no passage',
      { model: draft(['A.'], DEGRADED), extractive: draft([], refused('no-sentence')) },
      'model: Sorry. (no-valid-citation)',
    ],
    ['a refused connection', { model: draft([], 'refused') }, 'extractive instead: Quoted. (whole)'],
    ['a cut stream', { model: draft(['A.'], 'reset') }, 'extractive instead: Quoted. (whole)'],
    ['a stall behind a unit', { model: draft(['A.'], 'stalled') }, 'model: A. (incomplete)'],
    ['a timeout behind a unit', { model: draft(['A.'], 'timeout') }, 'model: A. (incomplete)'],
    ['a stall before any unit', { model: draft([], 'stalled') }, 'extractive instead: Quoted. (whole)'],
    ['no fallback', { model: draft([], 'refused'), hasFallback: false }, '! llm.unavailable'],
    ['no budget', { model: draft([], 'budget-spent'), hasFallback: false }, 'extractive instead: Quoted. (whole)'],
    ['a caller who left', { model: draft([], new Error('gone')), isAbandoned: () => true }, '! Error: gone'],
    ['a defect of ours', { model: draft(['A.'], new TypeError('bug')) }, '! TypeError: bug'],
    ['a deadline', { model: draft([], new DOMException('late', 'AbortError')) }, 'extractive instead: Quoted. (whole)'],
  ])('of %s', async (_what, changes, expected) => {
    expect(await told(deliverWhole(delivery(changes)))).toBe(expected);
  });
});

describe('a streamed answer', () => {
  test.each<[string, Partial<Delivery>, string]>([
    ['passages alone', {}, 'extractive: Quoted. (whole)'],
    ['no passage', { extractive: draft([], refused('below-gate')) }, 'extractive: Sorry. (below-gate)'],
    ['a model', { model: draft(['A.', 'B.']) }, 'model: A. B. (whole)'],
    ['nothing verified', { model: draft([], refused('no-valid-citation')) }, 'extractive: Quoted. (whole)'],
    ['half dropped', { model: draft(['A.'], DEGRADED) }, 'model: A. (degraded)'],
    ['a refused connection', { model: draft([], 'refused') }, 'extractive instead: Quoted. (whole)'],
    ['no fallback', { model: draft([], 'refused'), hasFallback: false }, '! stream.unavailable'],
    ['no budget', { model: draft([], 'budget-spent'), hasFallback: false }, 'extractive instead: Quoted. (whole)'],
    ['a cut stream', { model: draft(['A.'], 'reset') }, 'model: A. Incomplete. (incomplete)'],
    ['a defect before its first segment', { model: draft([], new TypeError('bug')) }, '! TypeError: bug'],
    ['a defect of ours', { model: draft(['A.'], new Error('bug')) }, 'model: A. Incomplete. (incomplete)'],
    [
      'a caller who left',
      { model: draft(['A.'], new Error('gone')), isAbandoned: () => true },
      'model: A. ! Error: gone',
    ],
  ])('of %s', async (_what, changes, expected) => {
    expect(await told(deliverStream(delivery(changes)))).toBe(expected);
  });

  test.each<[string, ModelFault | Error, boolean]>([
    ['a fault of the model', 'reset', true],
    ['a defect of ours', new TypeError('bug'), false],
  ])('that breaks off by %s tells it', async (_what, end, isFault) => {
    const errors: unknown[] = [];

    await told(deliverStream(delivery({ model: draft(['A.'], end), onSurvived: (error) => errors.push(error) })));

    expect(errors.map((error) => modelFaultOf(error) !== undefined)).toEqual([isFault]);
  });

  test('ends what writes it when its reader leaves', async () => {
    let ended = 0;
    const model: AnswerGenerator = async function* endless() {
      try {
        for (;;) yield { text: 'More.', citations: CITED };
      } finally {
        ended++;
      }
    };

    for await (const event of deliverStream(delivery({ model }))) if (event.type === 'segment') break;

    expect(ended).toBe(1);
  });
});

describe('a summary', () => {
  const messages = { refusal: undefined, incomplete: 'Incomplete.' };

  test.each<[string, Partial<Delivery>]>([
    ['passages say nothing', { extractive: draft([], refused('below-gate')) }],
    ['the model says nothing', { model: draft([], refused('model-refused')), extractive: draft([]) }],
  ])('is refused with an error when %s', async (_what, changes) => {
    expect(await told(deliverWhole(delivery({ ...changes, messages })))).toBe('! summary.insufficient-context');
    expect(await told(deliverStream(delivery({ ...changes, messages })))).toBe('! summary.insufficient-context');
  });
});

test.each([0, 1, 2])('an answer whose reader leaves after %d more events ends its author', async (more) => {
  let isOpen = true;
  const model: AnswerGenerator = async function* written() {
    try {
      return yield* draft(['One.', 'Two.', 'Three.'])();
    } finally {
      isOpen = false;
    }
  };
  const events = deliverStream(delivery({ model }));
  for (let read = 0; read <= more; read++) await events.next();
  await events.return();
  expect(isOpen).toBe(false);
});
