import { type Selectable, sql } from 'kysely';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import type { SystemTables } from '../sql/tables.ts';
import type { Actor } from './accounts.ts';
import { addAuditRow } from './audit.ts';

/** Who writes an answer to a golden question. */
export const GOLDEN_COMPOSERS = ['extractive', 'model'] as const;
export type GoldenComposer = (typeof GOLDEN_COMPOSERS)[number];

/** A question of an operator, with what its answer is to cite and to say. */
export type GoldenQuestion = {
  readonly id: number;
  readonly engineId: number;
  readonly question: string;
  /** URLs of pages; ` | ` stands between pages of which one is enough. */
  readonly mustCite: readonly string[];
  /** Words of the answer, likewise. */
  readonly mustContain: readonly string[];
  readonly createdAt: number;
};

export type GoldenPage = { readonly crawlerId: number; readonly documentId: string; readonly url: string };

/** A version of a document that came after the last right answer; `seq` undefined: it was removed. */
export type ChangedPage = GoldenPage & { readonly seq: number | undefined; readonly at: number | undefined };

/** How a golden question was answered. */
export type GoldenResult = {
  readonly questionId: number;
  readonly composer: GoldenComposer;
  readonly at: number;
  /** Last change of the documents that the answer could see. */
  readonly seq: number;
  readonly isRight: boolean;
  /** It is wrong, and the question was answered right before. */
  readonly isRegressed: boolean;
  /** Of the first of the results in a row that are as right. */
  readonly since: number;
  /** Why nothing was answered. */
  readonly refusal: string | undefined;
  /** What the answer lacks, as the question has it. */
  readonly missingPages: readonly string[];
  readonly missingTexts: readonly string[];
  readonly cited: readonly GoldenPage[];
  /** What the composer read; the same for the same passages. */
  readonly basis: string;
  /** Of a regressed one: what came after the latest right answer. */
  readonly changed: readonly ChangedPage[];
};

/** The latest result of a question by one composer, and the latest right one. */
export type GoldenHistory = { readonly latest: GoldenResult; readonly lastRight: GoldenResult | undefined };

/** The golden questions of an engine up to `lastQuestionId` were asked, of documents up to `seq`. */
type GoldenRound = {
  readonly engineId: number;
  readonly lastQuestionId: number;
  readonly at: number;
  readonly seq: number;
};

/**
 * Part of the port `SystemStore`: golden questions of engines and how they were answered. Promises:
 * - ids grow and are never given again; a question comes back exactly as it was stored; lists ascend by id;
 * - adding and removing are in the audit log;
 * - a removed question takes its results with it; that of another engine stays: false;
 * - `goldenEngines` names the engines that have questions, with the `seq` of their last round, undefined when a question
 *   was added since, also while the round was under way, or there was none;
 * - results of one question are stored together; nothing is stored for a question that is gone;
 * - the latest result and the latest right one of a question and composer are kept, of others the newest 20.
 */
export interface GoldenQuestionStore {
  addGoldenQuestion(actor: Actor, question: Omit<GoldenQuestion, 'id'>): Promise<GoldenQuestion>;
  /** True when there was one. */
  removeGoldenQuestion(input: {
    readonly actor: Actor;
    readonly engineId: number;
    readonly id: number;
    readonly at: number;
  }): Promise<boolean>;
  listGoldenQuestions(engineId: number): Promise<readonly GoldenQuestion[]>;
  goldenEngines(): Promise<readonly { readonly engineId: number; readonly seq: number | undefined }[]>;
  addGoldenResults(input: { readonly engineId: number; readonly results: readonly GoldenResult[] }): Promise<void>;
  /** Nothing when a question was added that the round has not asked. */
  endGoldenRound(round: GoldenRound): Promise<void>;
  /** Newest first. */
  listGoldenResults(questionId: number, composer: GoldenComposer): Promise<readonly GoldenResult[]>;
  goldenHistories(engineId: number): Promise<readonly GoldenHistory[]>;
}

const RETAINED_RESULTS = 20;

type Removal = Parameters<GoldenQuestionStore['removeGoldenQuestion']>[0];
type Results = Parameters<GoldenQuestionStore['addGoldenResults']>[0];
type Row = Selectable<SystemTables['golden_questions']>;
type ResultKey = Pick<GoldenResult, 'questionId' | 'composer'>;
type ResultRow = { readonly record: string };

/** Write operation: the question, and that its engine is to be asked again. */
function* addGoldenQuestion(actor: Actor, question: Omit<GoldenQuestion, 'id'>): Operation<GoldenQuestion> {
  const { engineId, createdAt: at, ...members } = question;
  const row = {
    engine_id: engineId,
    question: question.question,
    created_at: at,
    must_cite: JSON.stringify(question.mustCite),
    must_contain: JSON.stringify(question.mustContain),
  };
  const id = (yield* execute(systemSql.insertInto('golden_questions').values(row))).lastId;
  yield* execute(systemSql.deleteFrom('golden_rounds').where('engine_id', '=', engineId));
  const target = targetOf(engineId, id);
  yield* addAuditRow({ at, actor, action: 'add-golden-question', target, after: members });
  return { ...question, id };
}

/** Write operation: true when there was one. */
function* removeGoldenQuestion({ actor, engineId, id, at }: Removal): Operation<boolean> {
  const known = yield* fetchFirst(questionsOf(engineId).where('id', '=', id));
  if (known === undefined) return false;
  yield* execute(systemSql.deleteFrom('golden_questions').where('id', '=', id));
  yield* execute(systemSql.deleteFrom('golden_results').where('question_id', '=', id));
  const { question, mustCite, mustContain } = questionOf(known);
  const target = targetOf(engineId, id);
  const before = { question, mustCite, mustContain };
  yield* addAuditRow({ at, actor, action: 'remove-golden-question', target, before });
  return true;
}

/** Write operation. */
function* addGoldenResults({ engineId, results }: Results): Operation<void> {
  for (const result of results) {
    const known = yield* fetchFirst(questionsOf(engineId).where('id', '=', result.questionId));
    if (known !== undefined) yield* addResult(engineId, result);
  }
}

/** Write operation. */
function* endGoldenRound({ engineId, lastQuestionId, at, seq }: GoldenRound): Operation<void> {
  const unasked = questionsOf(engineId).where('id', '>', lastQuestionId).limit(1);
  if ((yield* fetchFirst(unasked)) !== undefined) return;
  const round = systemSql
    .insertInto('golden_rounds')
    .values({ engine_id: engineId, seq, at })
    .onConflict((conflict) => conflict.column('engine_id').doUpdateSet({ seq, at }));
  yield* execute(round);
}

function* addResult(engineId: number, result: GoldenResult): Operation<void> {
  const { questionId, composer, isRight } = result;
  const row = {
    engine_id: engineId,
    question_id: questionId,
    composer,
    is_right: Number(isRight),
    record: JSON.stringify(result),
  };
  yield* execute(systemSql.insertInto('golden_results').values(row));
  const newest = resultsOf(result).select('id').orderBy('id', 'desc').limit(RETAINED_RESULTS);
  const right = resultsOf(result).where('is_right', '=', 1).select('id').orderBy('id', 'desc').limit(1);
  const old = systemSql
    .deleteFrom('golden_results')
    .where('question_id', '=', questionId)
    .where('composer', '=', composer)
    .where('id', 'not in', newest)
    .where('id', 'not in', right);
  yield* execute(old);
}

export const goldenQuestionStore = defineStore<GoldenQuestionStore>()(
  {
    *listGoldenQuestions(engineId) {
      return (yield* fetchAll(questionsOf(engineId))).map(questionOf);
    },
    *goldenEngines() {
      const engines = systemSql
        .selectFrom('golden_questions')
        .leftJoin('golden_rounds', 'golden_rounds.engine_id', 'golden_questions.engine_id')
        .select(['golden_questions.engine_id as engineId', 'golden_rounds.seq as seq'])
        .groupBy(['golden_questions.engine_id', 'golden_rounds.seq'])
        .orderBy('golden_questions.engine_id');
      return (yield* fetchAll(engines)).map(({ engineId, seq }) => ({ engineId, seq: seq ?? undefined }));
    },
    *listGoldenResults(questionId, composer) {
      const newest = resultsOf({ questionId, composer }).select('record').orderBy('id', 'desc');
      return (yield* fetchAll(newest)).map(resultOf);
    },
    *goldenHistories(engineId) {
      const latest = yield* newestPerQuestion(engineId, sql<boolean>`1 = 1`);
      const right = new Map(
        (yield* newestPerQuestion(engineId, sql<boolean>`is_right = 1`)).map((each) => [keyOf(each), each]),
      );
      return latest.map((each): GoldenHistory => ({ latest: each, lastRight: right.get(keyOf(each)) }));
    },
  },
  {
    addGoldenQuestion,
    removeGoldenQuestion,
    addGoldenResults,
    endGoldenRound,
  },
);

function* newestPerQuestion(engineId: number, isMeant: ReturnType<typeof sql<boolean>>) {
  const newest = systemSql
    .selectFrom('golden_results')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('engine_id', '=', engineId)
    .where(isMeant)
    .groupBy(['question_id', 'composer']);
  const rows = systemSql.selectFrom('golden_results').select('record').where('id', 'in', newest);
  return (yield* fetchAll(rows.orderBy('question_id').orderBy('composer'))).map(resultOf);
}

function questionsOf(engineId: number) {
  return systemSql.selectFrom('golden_questions').selectAll().where('engine_id', '=', engineId).orderBy('id');
}

function resultsOf({ questionId, composer }: ResultKey) {
  return systemSql.selectFrom('golden_results').where('question_id', '=', questionId).where('composer', '=', composer);
}

function questionOf({ id, engine_id, question, must_cite, must_contain, created_at }: Row): GoldenQuestion {
  return {
    id,
    engineId: engine_id,
    question,
    createdAt: created_at,
    mustCite: JSON.parse(must_cite) as readonly string[],
    mustContain: JSON.parse(must_contain) as readonly string[],
  };
}

/** Members that are not there are undefined. */
function resultOf({ record }: ResultRow): GoldenResult {
  const stored = JSON.parse(record) as Omit<GoldenResult, 'refusal'> & { readonly refusal?: string };
  return {
    ...stored,
    refusal: stored.refusal,
    changed: stored.changed.map(({ seq, at, ...page }) => ({ ...page, seq, at })),
  };
}

function keyOf({ questionId, composer }: ResultKey): string {
  return `${questionId}/${composer}`;
}

function targetOf(engineId: number, id: number): string {
  return `engine:${engineId}/golden-question:${id}`;
}
