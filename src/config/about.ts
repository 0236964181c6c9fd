import type { z } from 'zod';
import type { VariableMeta } from './values.ts';

/** Areas of the documentation, in its order; a variable names its area. */
export const AREAS = [
  'General',
  'Secrets',
  'Stores',
  'CORS and access',
  'Limits',
  'Rates',
  'Search',
  'Answers',
  'Crawl',
  'Keeping',
  'Watching',
] as const;

/** Of variables whose value is never shown. */
export const SECRET = { secret: true } as const;

/** A variable with what the generated documentation says of it. */
export function about<Schema extends z.ZodType>(
  schema: Schema,
  area: (typeof AREAS)[number],
  description: string,
  more: Omit<VariableMeta, 'area' | 'description'> = {},
): Schema {
  return schema.meta({ area, description, ...more });
}
