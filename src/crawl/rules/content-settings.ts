import { z } from 'zod';
import { CONTENT_PROFILES } from '../../extract/extract-settings.ts';
import { compileConversion, FIELD_FORMS, FIELD_MODES, formOf } from '../../extract/html/field-rule.ts';
import { compileFieldSource, FIELD_SOURCES } from '../../extract/html/field-sources.ts';
import { compileOneSelector } from '../../extract/html/selectors.ts';
import { compilePattern } from '../../extract/patterns/linear-pattern.ts';
import { compileRule } from './scope.ts';

const MAX_SELECTORS = 200;
const MAX_MARKS = 50;
const MAX_MARK_CHARS = 200;
const MAX_PAGES = 100;

const comment = z
  .string()
  .max(MAX_MARK_CHARS)
  .regex(/^(?!\s*$)(?!.*--)/, { message: 'must be the text of a comment, without <!-- and -->' });

const MAX_SELECTOR_CHARS = 1_000;

export const selector = textThat('is no CSS selector', compileOneSelector).max(MAX_SELECTOR_CHARS);

const SELECTORS = z.array(selector).max(MAX_SELECTORS);

const MARKS = z.strictObject({
  attribute: z
    .string()
    .max(MAX_MARK_CHARS)
    .regex(/^[a-z_][\w.:-]*$/i, { message: 'must be the name of an attribute' })
    .optional()
    .meta({ description: 'Another name of the attribute `data-fossick-ignore`.', examples: ['data-noindex'] }),
  off: z
    .array(comment)
    .max(MAX_MARKS)
    .default([])
    .meta({ description: 'Comments from which on nothing is read.', examples: [['noindex']] }),
  on: z
    .array(comment)
    .max(MAX_MARKS)
    .default([])
    .meta({ description: 'Comments that end it.', examples: [['/noindex']] }),
});

const INDEX = z.strictObject({
  hidden: z.boolean().default(true).describe('Text that readers cannot see is searched; it is never quoted.'),
});
const PROFILE = z.enum(CONTENT_PROFILES);

const MAX_RULES = 500;

/** Contract 1.9. */
const MAX_NAME_CHARS = 256;
const MAX_EXPRESSION_CHARS = 1_000;
const MAX_MAPPED = 1_000;
const MAX_VALUE_CHARS = 10_000;

/** Made by the search itself from other members of a document. */
const SYSTEM_FIELDS = new Set(['Id', '_type', 'fc_Title', 'fc_Content']);

const fieldName = z
  .string()
  .regex(/^[^\p{Cc}]*$/u, { message: 'must have no control characters' })
  .refine((name) => name.trim() === name && name !== '' && [...name].length <= MAX_NAME_CHARS, {
    message: `must be 1 to ${MAX_NAME_CHARS} characters, without blanks around them`,
  })
  .refine((name) => !SYSTEM_FIELDS.has(name), { message: 'is a field that the search makes itself' });

const expression = textThat('is no expression that can be matched', compilePattern).max(MAX_EXPRESSION_CHARS);
const headerName = z.string().regex(/^(?!set-cookie$)[!#$%&'*+.^_`|~0-9a-z-]+$/i, {
  message: 'must be the name of a header, not set-cookie',
});

const urlRule = textThat('is no rule for URLs', compileRule).min(1);

/** A rule that fills a field; exactly one source. */
const fieldRule = z
  .strictObject({
    name: fieldName,
    selector: selector.optional(),
    attribute: z
      .string()
      .regex(/^[^\s"'<>/=]+$/, { message: 'must be the name of an attribute' })
      .optional(),
    xpath: textThat('is no path that can be read', (xpath) => compileFieldSource({ xpath })).optional(),
    meta: z.string().min(1).max(MAX_NAME_CHARS).optional(),
    header: headerName.optional(),
    jsonLd: textThat('is no path of JSON-LD', (jsonLd) => compileFieldSource({ jsonLd })).optional(),
    url: expression.optional(),
    constant: z.string().min(1).max(MAX_VALUE_CHARS).optional(),
    match: expression.optional(),
    replace: z.string().max(MAX_EXPRESSION_CHARS).optional(),
    split: z.string().min(1).max(100).optional(),
    all: z.boolean().optional(),
    as: z.enum(FIELD_FORMS).optional(),
    dateFormat: textThat('is no form of a date', (dateFormat) =>
      compileConversion({ as: 'date', writtenFor: 'people', dateFormat }),
    ).optional(),
    decimal: z.enum(['.', ',']).optional(),
    map: z
      .record(z.string(), z.string().max(MAX_VALUE_CHARS))
      .refine((map) => Object.keys(map).length <= MAX_MAPPED, { message: `must be at most ${MAX_MAPPED}` })
      .optional(),
    fallback: z.string().max(MAX_VALUE_CHARS).optional(),
    when: z
      .strictObject({
        url: urlRule.optional(),
        selector: selector.optional(),
        kind: z.enum(['page', 'file']).optional(),
      })
      .optional(),
    mode: z.enum(FIELD_MODES).optional(),
  })
  .superRefine((rule, context) => {
    const refuse = (member: string, message: string) =>
      context.addIssue({ code: 'custom', path: member === '' ? [] : [member], message });
    const given = FIELD_SOURCES.filter((source) => rule[source] !== undefined);
    if (given.length !== 1) refuse('', `must have exactly one of ${FIELD_SOURCES.join(', ')}`);
    if (rule.attribute !== undefined && rule.selector === undefined) refuse('attribute', 'goes with selector only');
    if (rule.replace !== undefined && rule.match === undefined) refuse('replace', 'goes with match only');
    const ownForm = formOf(rule.name);
    const form = rule.as ?? ownForm;
    if (ownForm !== 'text' && form !== ownForm) refuse('as', `must be ${ownForm}, as the name ${rule.name} says`);
    if (rule.dateFormat !== undefined && form !== 'date') refuse('dateFormat', 'goes with dates only');
    if (rule.decimal !== undefined && form !== 'number') refuse('decimal', 'goes with numbers only');
  });

const FIELD_RULES = z.array(fieldRule).max(MAX_RULES);

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
    profile: PROFILE.default('balanced').describe(
      'How sure a block must be to count as main text: `precision` leaves out more, `recall` less.',
    ),
    include: SELECTORS.default([]).meta({
      description: 'CSS selectors of what is main text in any case.',
      examples: [['main', '.article-body']],
    }),
    exclude: SELECTORS.default([]).meta({
      description: 'CSS selectors of what is no text of the document; the innermost of both counts.',
      examples: [['.cookie-notice', 'nav']],
    }),
    marks: MARKS.prefault({}),
    fields: FIELD_RULES.default([]).meta({
      description: 'Rules that fill fields, each from one source.',
      examples: [
        [
          { name: 'Price_number', selector: '.price' },
          { name: 'Section', url: '^https://[^/]+/([^/]+)/', map: { docs: 'Documentation' } },
        ],
      ],
    }),
    categoryFromPath: z.boolean().default(false).describe('Fills `Category` by the folders of the URL.'),
    index: INDEX.prefault({}),
    pages: z
      .array(PAGES)
      .max(MAX_PAGES)
      .default([])
      .meta({
        description: 'The same members for the pages of a rule; the first rule that fits counts.',
        examples: [[{ match: '/blog/**', profile: 'precision' }]],
      }),
  })
  .prefault({});

/** A text that `check` accepts by not throwing; its error says why not. */
function textThat(fault: string, check: (text: string) => unknown) {
  return z.string().superRefine((text, context) => {
    try {
      check(text);
    } catch (error) {
      const why = error instanceof Error ? `: ${error.message}` : '';
      context.addIssue({ code: 'custom', message: `${fault}${why}` });
    }
  });
}
