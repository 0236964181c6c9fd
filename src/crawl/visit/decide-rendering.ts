import { z } from 'zod';
import type { DueRow } from '../../storage/frontier-store.ts';
import { RENDER_CAUSES } from '../rules/render-policy.ts';
import { type Decision, decision, type PageRendering, type VisitFacts } from './decision.ts';
import { keepRecheck } from './recheck-detail.ts';

const pageYield = z.object({ words: z.number(), links: z.number() });
const httpFacts = z.object({
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  bodyHash: z.string().optional(),
  bytes: z.number(),
  yields: pageYield.optional(),
  hasEndTag: z.boolean().optional(),
});
export type HttpFacts = z.infer<typeof httpFacts>;

/** What a row carries from stage to stage: why it goes to the browser, or why it comes back from there. */
const renderDetail = z.union([
  z.object({ render: z.enum(RENDER_CAUSES), http: httpFacts }),
  z.object({ rendered: z.enum(['not-needed', 'failed']) }),
]);
export type RenderDetail = z.infer<typeof renderDetail>;

export function readRenderDetail({ detail }: DueRow): RenderDetail | undefined {
  return detail === undefined ? undefined : renderDetail.safeParse(JSON.parse(detail)).data;
}

/** The row goes on to the browser's stage; nothing of the page is recorded yet. */
export function goesOn(
  { row, now }: VisitFacts,
  { detail, observed }: Extract<PageRendering, { kind: 'needed' }>,
): Decision {
  const next = {
    dueAt: now,
    priority: row.priority,
    attempts: 0,
    to: { stage: 'render', detail: keepRecheck(row, detail) },
  } as const;
  return decision({ log: undefined, answer: 'good', next, rendering: observed });
}

/** The row goes back to HTTP, and what is read there is the page. */
export function goesBack({ row, now }: VisitFacts, rendered: 'not-needed' | 'failed'): Decision {
  const detail = keepRecheck(row, JSON.stringify({ rendered } satisfies RenderDetail));
  const next = { dueAt: now, priority: row.priority, attempts: 0, to: { stage: 'page', detail } } as const;
  return decision({ log: undefined, next, pace: 'unused' });
}
