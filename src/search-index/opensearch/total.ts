import { z } from 'zod';

const TotalSchema = z.object({ hits: z.object({ total: z.object({ value: z.number() }) }) });

/** How many documents an answer says that it counted. */
export function totalOf(answer: unknown): number {
  return TotalSchema.parse(answer).hits.total.value;
}
