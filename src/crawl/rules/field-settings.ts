import { z } from 'zod';
import { FIELD_MODES, formOf } from '../../extract/html/field-rule.ts';
import { compileFieldSource, FIELD_SOURCES } from '../../extract/html/field-sources.ts';
import { compileConversion, FIELD_FORMS } from '../../extract/html/field-values.ts';
import { compilePattern } from '../../extract/patterns/linear-pattern.ts';
import { selector, textThat, urlRule } from './setting-texts.ts';

/** Contract 1.9. */
const MAX_NAME_CHARS = 256;
const MAX_RULES = 500;
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
      compileConversion({ as: 'date', dateFormat, decimal: undefined }),
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

export const FIELD_RULES = z.array(fieldRule).max(MAX_RULES);
