import { type Selectable, sql } from 'kysely';
import type {
  GoldenHistory,
  GoldenQuestion,
  GoldenQuestionStore,
  GoldenResult,
  GoldenRound,
} from '../../golden-question-store.ts';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { systemSql } from '../statement.ts';
import type { SystemTables } from '../tables.ts';
import type { SystemConnection } from '../write-thread.ts';
import { addAuditRow } from './audit.ts';

const RETAINED_RESULTS = 20;
const ACTOR = 'operator';

type Removal = Parameters<GoldenQuestionStore['removeGoldenQuestion']>[0];
type Results = Parameters<GoldenQuestionStore['addGoldenResults']>[0];
type Row = Selectable<SystemTables['golden_questions']>;
type ResultKey = Pick<GoldenResult, 'questionId' | 'composer'>;
type ResultRow = { readonly record: string };

/** Write operation: the question, and that its engine is to be asked again. */
export function addGoldenQuestion(db: SqliteDatabase, question: Omit<GoldenQuestion, 'id'>): GoldenQuestion {
  const { engineId, createdAt: at, ...members } = question;
  const row = {
    engine_id: engineId,
    question: question.question,
    created_at: at,
    must_cite: JSON.stringify(question.mustCite),
    must_contain: JSON.stringify(question.mustContain),
  };
  const id = db.run(systemSql.insertInto('golden_questions').values(row).compile()).lastId;
  db.run(systemSql.deleteFrom('golden_rounds').where('engine_id', '=', engineId).compile());
  const target = targetOf(engineId, id);
  addAuditRow(db, { at, actor: ACTOR, action: 'add-golden-question', target, after: members });
  return { ...question, id };
}

/** Write operation: true when there was one. */
export function removeGoldenQuestion(db: SqliteDatabase, { engineId, id, at }: Removal): boolean {
  const known = db.first(questionsOf(engineId).where('id', '=', id).compile());
  if (known === undefined) return false;
  db.run(systemSql.deleteFrom('golden_questions').where('id', '=', id).compile());
  db.run(systemSql.deleteFrom('golden_results').where('question_id', '=', id).compile());
  const { question, mustCite, mustContain } = questionOf(known);
  const target = targetOf(engineId, id);
  const before = { question, mustCite, mustContain };
  addAuditRow(db, { at, actor: ACTOR, action: 'remove-golden-question', target, before });
  return true;
}

/** Write operation. */
export function addGoldenResults(db: SqliteDatabase, { engineId, results }: Results): void {
  for (const result of results) {
    const known = db.first(questionsOf(engineId).where('id', '=', result.questionId).compile());
    if (known !== undefined) addResult(db, engineId, result);
  }
}

/** Write operation. */
export function endGoldenRound(db: SqliteDatabase, { engineId, lastQuestionId, at, seq }: GoldenRound): void {
  const unasked = questionsOf(engineId).where('id', '>', lastQuestionId).limit(1);
  if (db.first(unasked.compile()) !== undefined) return;
  const round = systemSql
    .insertInto('golden_rounds')
    .values({ engine_id: engineId, seq, at })
    .onConflict((conflict) => conflict.column('engine_id').doUpdateSet({ seq, at }));
  db.run(round.compile());
}

function addResult(db: SqliteDatabase, engineId: number, result: GoldenResult): void {
  const { questionId, composer, isRight } = result;
  const row = {
    engine_id: engineId,
    question_id: questionId,
    composer,
    is_right: Number(isRight),
    record: JSON.stringify(result),
  };
  db.run(systemSql.insertInto('golden_results').values(row).compile());
  const newest = resultsOf(result).select('id').orderBy('id', 'desc').limit(RETAINED_RESULTS);
  const right = resultsOf(result).where('is_right', '=', 1).select('id').orderBy('id', 'desc').limit(1);
  const old = systemSql
    .deleteFrom('golden_results')
    .where('question_id', '=', questionId)
    .where('composer', '=', composer)
    .where('id', 'not in', newest)
    .where('id', 'not in', right);
  db.run(old.compile());
}

export function goldenQuestionStore({ read, write }: SystemConnection): GoldenQuestionStore {
  return {
    addGoldenQuestion: (question) => write('addGoldenQuestion', question),
    removeGoldenQuestion: (input) => write('removeGoldenQuestion', input),
    addGoldenResults: (input) => write('addGoldenResults', input),
    endGoldenRound: (round) => write('endGoldenRound', round),
    listGoldenQuestions: async (engineId) => read.all(questionsOf(engineId).compile()).map(questionOf),
    goldenEngines: async () => {
      const engines = systemSql
        .selectFrom('golden_questions')
        .leftJoin('golden_rounds', 'golden_rounds.engine_id', 'golden_questions.engine_id')
        .select(['golden_questions.engine_id as engineId', 'golden_rounds.seq as seq'])
        .groupBy('golden_questions.engine_id')
        .orderBy('golden_questions.engine_id');
      return read.all(engines.compile()).map(({ engineId, seq }) => ({ engineId, seq: seq ?? undefined }));
    },
    listGoldenResults: async (questionId, composer) => {
      const newest = resultsOf({ questionId, composer }).select('record').orderBy('id', 'desc');
      return read.all(newest.compile()).map(resultOf);
    },
    goldenHistories: async (engineId) => {
      const latest = newestPerQuestion(read, engineId, sql<boolean>`1 = 1`);
      const right = new Map(
        newestPerQuestion(read, engineId, sql<boolean>`is_right = 1`).map((each) => [keyOf(each), each]),
      );
      return latest.map((each): GoldenHistory => ({ latest: each, lastRight: right.get(keyOf(each)) }));
    },
  };
}

function newestPerQuestion(read: SqliteDatabase, engineId: number, isMeant: ReturnType<typeof sql<boolean>>) {
  const newest = systemSql
    .selectFrom('golden_results')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('engine_id', '=', engineId)
    .where(isMeant)
    .groupBy(['question_id', 'composer']);
  const rows = systemSql.selectFrom('golden_results').select('record').where('id', 'in', newest);
  return read.all(rows.orderBy('question_id').orderBy('composer').compile()).map(resultOf);
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
