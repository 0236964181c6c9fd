import { typeBySuffix } from '../../core/field-type.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { compilePattern } from '../patterns/linear-pattern.ts';
import { replaceMatches, valueOfMatch } from '../patterns/pattern-values.ts';
import { compileFieldSource, type FieldContext, type FieldSourceRule } from './field-sources.ts';
import { compileConversion, type FieldForm } from './field-values.ts';
import { compileSelectors } from './selectors.ts';

/** How one field is filled, as an operator writes it. One of the members of `FieldSourceRule` is given. */
export type FieldRule = FieldSourceRule & {
  readonly name: string;
  /** A value becomes the first group of this expression; without a match it is none. */
  readonly match?: string | undefined;
  /** With `match`: what every match within the value becomes (`$1`, `$<name>`). */
  readonly replace?: string | undefined;
  /** Makes several values of one. */
  readonly split?: string | undefined;
  /** Every value of the source; else the first that is one. */
  readonly all?: boolean | undefined;
  readonly as?: FieldForm | undefined;
  readonly dateFormat?: string | undefined;
  readonly decimal?: '.' | ',' | undefined;
  /** Value → value. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  readonly fallback?: string | undefined;
  readonly when?: FieldCondition | undefined;
  /** Against what else is known of the field; stock `replace`. */
  readonly mode?: FieldMode | undefined;
};

export type FieldCondition = {
  /** A rule for URLs. */
  readonly url?: string | undefined;
  /** Something on the page that it matches. */
  readonly selector?: string | undefined;
  readonly kind?: 'page' | 'file' | undefined;
};

export const FIELD_MODES = ['replace', 'fill', 'append'] as const;
export type FieldMode = (typeof FIELD_MODES)[number];

/** What a rule makes of a page. `dropped` counts values that are none of the wanted form. */
export type RuleValues = {
  readonly raw: readonly string[];
  readonly values: readonly string[];
  readonly dropped: number;
};

export type CompiledFieldRule = {
  readonly name: string;
  /** `content.fields[2]` */
  readonly path: string;
  readonly mode: FieldMode;
  readonly applies: (context: FieldContext) => boolean;
  readonly read: (context: FieldContext) => RuleValues;
};

/** @throws Error for what the schema of the settings refuses */
export function compileFieldRule(
  rule: FieldRule,
  {
    path,
    compileUrlRule,
  }: { readonly path: string; readonly compileUrlRule: (rule: string) => (url: string) => boolean },
): CompiledFieldRule {
  const readRaw = compileFieldSource(rule);
  const refine = compileSteps(rule);
  return {
    name: rule.name,
    path,
    mode: rule.mode ?? 'replace',
    applies: compileCondition(rule.when ?? {}, compileUrlRule),
    read: (context) => {
      const raw = readRaw(context);
      const { values, dropped } = refined(raw, { rule, context, refine });
      const isMissing = values.length === 0 && rule.fallback !== undefined && rule.fallback.trim() !== '';
      return { raw, values: isMissing ? [rule.fallback ?? ''] : values, dropped };
    },
  };
}

function compileCondition(
  { url, selector, kind }: FieldCondition,
  compileUrlRule: (rule: string) => (url: string) => boolean,
): CompiledFieldRule['applies'] {
  const matchesUrl = url === undefined ? undefined : compileUrlRule(url);
  const compiled = selector === undefined ? undefined : compileSelectors([selector]);
  return (context) => {
    if (kind !== undefined && kind !== context.kind) return false;
    if (matchesUrl !== undefined && !matchesUrl(context.url)) return false;
    if (compiled === undefined) return true;
    return context.page !== undefined && context.page.select(compiled).size > 0;
  };
}

/** The values that one raw value becomes; undefined for one that is not of the wanted form. */
type Refine = (raw: string, context: FieldContext) => readonly (string | undefined)[];

function refined(
  raw: readonly string[],
  { rule, context, refine }: { readonly rule: FieldRule; readonly context: FieldContext; readonly refine: Refine },
): Pick<RuleValues, 'values' | 'dropped'> {
  const values = new Set<string>();
  let dropped = 0;
  for (const text of raw) {
    for (const value of refine(text, context)) {
      if (value === undefined) dropped++;
      else if (value !== '' && values.size < EXTRACT_LIMITS.ruleValues) values.add(value);
    }
    if (values.size > 0 && rule.all !== true) break;
  }
  return { values: [...values], dropped };
}

function compileSteps({ name, match, replace, split, map = {}, as, dateFormat, decimal }: FieldRule): Refine {
  const pattern = match === undefined ? undefined : compilePattern(match);
  const convert = compileConversion({ as: as ?? formOf(name), dateFormat, decimal });
  const mapped = new Map(Object.entries(map));
  const matched = (text: string, { work }: FieldContext) => {
    if (pattern === undefined) return text;
    return replace === undefined
      ? valueOfMatch(pattern, text, work)
      : replaceMatches(pattern, text, { replacement: replace, work });
  };
  return (raw, context) => {
    const text = raw.slice(0, EXTRACT_LIMITS.ruleValueChars);
    const found = matched(text, context);
    if (found === undefined) return [];
    const parts = split === undefined ? [found] : found.split(split, EXTRACT_LIMITS.ruleValues);
    return parts.map((part) => {
      const value = part.trim();
      return value === '' ? '' : convert(mapped.get(value) ?? value, context);
    });
  };
}

/** What the name of a field says about its values. Contract: 1.10. */
export function formOf(name: string): FieldForm {
  return name === 'Url' ? 'url' : (typeBySuffix(name) ?? 'text');
}
