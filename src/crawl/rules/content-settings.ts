import { z } from 'zod';
import { CONTENT_PROFILES } from '../../extract/extract-settings.ts';
import { FIELD_RULES } from './field-settings.ts';
import { selector, urlRule } from './setting-texts.ts';

const MAX_SELECTORS = 200;
const MAX_MARKS = 50;
const MAX_MARK_CHARS = 200;
const MAX_PAGES = 100;

const comment = z
  .string()
  .max(MAX_MARK_CHARS)
  .regex(/^(?!\s*$)(?!.*--)/, { message: 'must be the text of a comment, without <!-- and -->' });

const SELECTORS = z.array(selector).max(MAX_SELECTORS);

const MARKS = z.strictObject({
  attribute: z
    .string()
    .max(MAX_MARK_CHARS)
    .regex(/^[a-z_][\w.:-]*$/i, { message: 'must be the name of an attribute' })
    .optional(),
  off: z.array(comment).max(MAX_MARKS).default([]),
  on: z.array(comment).max(MAX_MARKS).default([]),
});

const INDEX = z.strictObject({ hidden: z.boolean().default(true) });
const PROFILE = z.enum(CONTENT_PROFILES);

const PAGES = z.strictObject({
  match: urlRule,
  profile: PROFILE.optional(),
  include: SELECTORS.optional(),
  exclude: SELECTORS.optional(),
  marks: MARKS.optional(),
  fields: FIELD_RULES.optional(),
  categoryFromPath: z.boolean().optional(),
  index: INDEX.optional(),
});

/** What a crawler reads from its pages. */
export const CONTENT_SETTINGS = z
  .strictObject({
    profile: PROFILE.default('balanced'),
    include: SELECTORS.default([]),
    exclude: SELECTORS.default([]),
    marks: MARKS.prefault({}),
    fields: FIELD_RULES.default([]),
    categoryFromPath: z.boolean().default(false),
    index: INDEX.prefault({}),
    pages: z.array(PAGES).max(MAX_PAGES).default([]),
  })
  .prefault({});
