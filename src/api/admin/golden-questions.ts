import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import { askGoldenQuestions, type GoldenDeps, type GoldenState, readGoldenStates } from '../../ai/golden-questions.ts';
import { AppError } from '../../core/errors.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import { type ChangedPage, GOLDEN_COMPOSERS, type GoldenQuestion } from '../../storage/system/golden-questions.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { actorOf } from './access.ts';
import { FORMAT, sendCsv } from './csv.ts';
import { idOf, LIST_QUERY, pageOf, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';

export type GoldenRouteDeps = { readonly golden: GoldenDeps; readonly store: Pick<AccountStore, 'findEngine'> };

/** Each is asked again after every run that changed documents. */
const MAX_QUESTIONS = 100;
const MAX_CHARS = 1_000;
const MAX_WANTED = 20;
/** Less than the command waits. */
const DEADLINE_MS = 110_000;

const TEXT = z.string().trim().min(1).max(MAX_CHARS);
const WANTED = z.array(TEXT).max(MAX_WANTED).default([]);
export const NEW_QUESTION = z
  .strictObject({ question: TEXT, mustCite: WANTED, mustContain: WANTED })
  .refine(({ mustCite, mustContain }) => mustCite.length + mustContain.length > 0, {
    path: ['mustCite'],
    message: 'name a page here, or a text in mustContain: else no answer could be wrong',
  });
export const QUESTION_LIST = z.strictObject(LIST_QUERY);
const NOTHING = z.strictObject({});
export const QUESTION_STATES = z.strictObject({ format: FORMAT });

/** Questions whose answers an operator watches. */
export function goldenQuestionRoutes({ golden, store }: GoldenRouteDeps): FastifyPluginAsync {
  const { systemStore, clock } = golden;
  const engineOf = async (request: FastifyRequest) => {
    const id = idOf(request, 'engineId');
    return requireRecord('engine', id, await store.findEngine(id));
  };
  return async (app) => {
    app.get('/engines/:engineId/golden-questions', { config: { access: 'editor' } }, async (request) => {
      const { id } = await engineOf(request);
      return pageOf(await systemStore.listGoldenQuestions(id), queryOf(QUESTION_LIST, request), goldenQuestionBody);
    });

    app.post('/engines/:engineId/golden-questions', { config: { access: 'editor' } }, async (request, reply) => {
      const { id: engineId } = await engineOf(request);
      const question = parseStrictly(NEW_QUESTION, request.body);
      if ((await systemStore.listGoldenQuestions(engineId)).length >= MAX_QUESTIONS) {
        throw new AppError('record.conflict', `Engine ${engineId} has ${MAX_QUESTIONS} golden questions: remove one`);
      }
      reply.code(201);
      return goldenQuestionBody(
        await systemStore.addGoldenQuestion(actorOf(request), { ...question, engineId, createdAt: clock.now() }),
      );
    });

    app.delete(
      '/engines/:engineId/golden-questions/:questionId',
      { config: { access: 'editor' } },
      async (request, reply) => {
        const { id: engineId } = await engineOf(request);
        const id = idOf(request, 'questionId');
        const wasThere = await systemStore.removeGoldenQuestion({
          actor: actorOf(request),
          engineId,
          id,
          at: clock.now(),
        });
        requireRecord('golden question', id, wasThere || undefined);
        return reply.code(204).send();
      },
    );

    app.post('/engines/:engineId/golden-questions/ask', { config: { access: 'editor' } }, async (request, reply) => {
      const engine = await engineOf(request);
      parseStrictly(NOTHING, request.body ?? {});
      await askGoldenQuestions(golden, engine, requestSignal(reply, DEADLINE_MS));
      return { items: (await readGoldenStates({ systemStore }, engine.id)).map(goldenStateBody) };
    });

    app.get('/engines/:engineId/statistics/golden', { config: { access: 'reader' } }, async (request, reply) => {
      const { id } = await engineOf(request);
      const { format } = queryOf(QUESTION_STATES, request);
      const items = (await readGoldenStates({ systemStore }, id)).map(goldenStateBody);
      if (format === 'csv') {
        return sendCsv(reply, `engine-${id}-golden`, { columns: STATE_COLUMNS, rows: items.map(stateRow) });
      }
      return { items };
    });
  };
}

export const QUESTION_BODY = z
  .object({
    id: z.int(),
    question: z.string(),
    mustCite: z.array(z.string()),
    mustContain: z.array(z.string()),
    createdAt: TIME,
  })
  .meta({ id: 'GoldenQuestion' });

function goldenQuestionBody(shown: GoldenQuestion): Shown<typeof QUESTION_BODY> {
  const { id, question, mustCite, mustContain, createdAt } = shown;
  return { id, question, mustCite, mustContain, createdAt: timeText(createdAt) };
}

const STATES = ['not-asked', 'right', 'wrong', 'regressed'] as const;
const CHANGED_PAGE = z.object({
  crawler: z.int(),
  document: z.string(),
  url: z.string(),
  seq: z.int().nullable().describe('null: it was removed.'),
  at: TIME.nullable(),
});
export const QUESTION_STATE_BODY = z
  .object({
    id: z.int(),
    question: z.string(),
    composer: z.enum(GOLDEN_COMPOSERS),
    state: z.enum(STATES).describe('`regressed`: wrong, and right before.'),
    since: TIME.nullable(),
    askedAt: TIME.nullable(),
    lastRightAt: TIME.nullable(),
    refusal: z.string().nullable().describe('Why nothing was answered.'),
    missingPages: z.array(z.string()),
    missingTexts: z.array(z.string()),
    cited: z.array(z.string()),
    changed: z.array(CHANGED_PAGE).describe('Of a regressed one: what came after the last right answer.'),
  })
  .meta({ id: 'GoldenQuestionState' });

function goldenStateBody(shown: GoldenState): Shown<typeof QUESTION_STATE_BODY> {
  const { question, composer, latest, lastRightAt } = shown;
  return {
    id: question.id,
    question: question.question,
    composer,
    state: stateOf(latest),
    since: timeText(latest?.since),
    askedAt: timeText(latest?.at),
    lastRightAt: timeText(lastRightAt),
    refusal: latest?.refusal ?? null,
    missingPages: latest?.missingPages ?? [],
    missingTexts: latest?.missingTexts ?? [],
    cited: (latest?.cited ?? []).map(({ url }) => url),
    changed: (latest?.changed ?? []).map(changedBody),
  };
}

const STATE_COLUMNS = [
  'question',
  'composer',
  'state',
  'since',
  'askedAt',
  'lastRightAt',
  'refusal',
  'missingPages',
  'missingTexts',
] as const;

function stateRow({ missingPages, missingTexts, ...state }: Shown<typeof QUESTION_STATE_BODY>) {
  return { ...state, missingPages: missingPages.join(' '), missingTexts: missingTexts.join(' | ') };
}

function stateOf(latest: GoldenState['latest']): (typeof STATES)[number] {
  if (latest === undefined) return 'not-asked';
  if (latest.isRight) return 'right';
  return latest.isRegressed ? 'regressed' : 'wrong';
}

function changedBody(changed: ChangedPage): Shown<typeof CHANGED_PAGE> {
  const { crawlerId: crawler, documentId: document, url, seq, at } = changed;
  return { crawler, document, url, seq: seq ?? null, at: timeText(at) };
}
