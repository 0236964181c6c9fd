import { sql } from 'kysely';
import { STAGES } from '../../core/crawl-words.ts';
import {
  addRenderObservation,
  addTemplateRenderObservation,
  parseRenderVerdict,
  type RenderObservation,
} from '../../core/render-verdict.ts';
import { execute, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';

export const renderStatements = {
  read: statement<{ id: number }, { render: string | null; template_id: number | null }>((p) =>
    engineSql.selectFrom('url_patterns').select(['render', 'template_id']).where('id', '=', p.id),
  ),
  save: statement<{ id: number; render: string }>((p) =>
    engineSql.updateTable('url_patterns').set({ render: p.render }).where('id', '=', p.id),
  ),
  /** Rows that have been tried wait for their own time. */
  endWaiting: statement<{ crawlerId: number; activation: number; hostId: number; now: number }>((p) =>
    engineSql
      .updateTable('frontier')
      .set({ due_at: p.now })
      .where('crawler_id', '=', p.crawlerId)
      .where('activation', '=', p.activation)
      .where('stage', '=', sql.lit(STAGES.indexOf('render')))
      .where('host_id', '=', p.hostId)
      .where('due_at', '>', p.now)
      .where('attempts', '=', sql.lit(0))
      .where('lane_id', 'is', null),
  ),
};

/**
 * Inside a write: what a visit says about rendering its pattern and that one's URL template. When it settles an open question, the pages of the
 * host that wait for the answer are due.
 */
export function* recordRendering(input: {
  readonly patternId: number;
  readonly observation: RenderObservation;
  readonly hostId: number;
  readonly crawlerId: number;
  readonly activation: number;
  readonly now: number;
}): Operation<void> {
  const { patternId, observation, hostId, crawlerId, activation, now } = input;
  const row = yield* fetchFirst(renderStatements.read, { id: patternId });
  if (row === undefined) return;
  const known = parseRenderVerdict(row.render ?? undefined);
  const observed = addRenderObservation(known, observation);
  if (observed === known) return;
  yield* execute(renderStatements.save, { id: patternId, render: JSON.stringify(observed) });
  if (row.template_id !== null) yield* recordTemplateRendering(row.template_id, observation);
  if (known.claim === undefined || observed.claim !== undefined) return;
  yield* execute(renderStatements.endWaiting, { crawlerId, activation, hostId, now });
}

function* recordTemplateRendering(id: number, observation: RenderObservation): Operation<void> {
  const known = parseRenderVerdict((yield* fetchFirst(renderStatements.read, { id }))?.render ?? undefined);
  const observed = addTemplateRenderObservation(known, observation);
  if (observed !== known) yield* execute(renderStatements.save, { id, render: JSON.stringify(observed) });
}
