import type { Fields } from '../../core/document.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { RuledField } from '../extraction.ts';
import type { CompiledFieldRule, RuleValues } from './field-rule.ts';
import type { FieldContext } from './field-sources.ts';

/** Fields with the source of each. */
export type SourcedFields = { readonly fields: Fields; readonly sources: Readonly<Record<string, string>> };

export type RuledFields = SourcedFields & {
  /** What each rule did, in the order of the rules. */
  readonly ruled: readonly RuledField[];
  /** Limits, and values that were not of the wanted form. */
  readonly notes: readonly string[];
};

/**
 * Fields as the operator's rules want them. Rules of one name run in order until one gives a value; those that append
 * all run.
 */
export function applyFieldRules(
  rules: readonly CompiledFieldRule[],
  context: FieldContext,
  { fields, sources }: SourcedFields,
): RuledFields {
  const state: State = { fields: new Map(fields), sources: { ...sources }, done: new Set(), notes: [] };
  const ruled = rules.map((rule) => applyRule(rule, context, state));
  const { kept, isCut } = withinLimit(state.fields);
  return { fields: kept, sources: state.sources, ruled, notes: [...state.notes, ...(isCut ? ['field limit'] : [])] };
}

type State = {
  readonly fields: Map<string, readonly string[]>;
  readonly sources: Record<string, string>;
  /** Names that a rule has given a value. */
  readonly done: Set<string>;
  readonly notes: string[];
};

const NOTHING: RuleValues = { raw: [], values: [], dropped: 0 };

function applyRule(rule: CompiledFieldRule, context: FieldContext, state: State): RuledField {
  const { name, path, mode } = rule;
  const known = state.fields.get(name) ?? [];
  const isKept = mode === 'append' ? false : state.done.has(name) || (mode === 'fill' && known.length > 0);
  if (isKept) return { path, name, ...NOTHING, outcome: 'kept' };
  if (!rule.applies(context)) return { path, name, ...NOTHING, outcome: 'not-meant' };
  const read = rule.read(context);
  if (read.dropped > 0) state.notes.push(`${path}: ${read.dropped} not of the wanted form`);
  if (read.values.length === 0) return { path, name, ...read, outcome: 'no-value' };
  state.fields.set(name, mode === 'append' ? [...new Set([...known, ...read.values])] : read.values);
  state.sources[name] = path;
  if (mode !== 'append') state.done.add(name);
  return { path, name, ...read, outcome: 'used' };
}

/** Values until all of them are as long as a document may be. */
function withinLimit(fields: ReadonlyMap<string, readonly string[]>) {
  let left: number = EXTRACT_LIMITS.fieldChars;
  let isCut = false;
  const kept = new Map<string, readonly string[]>();
  for (const [name, values] of fields) {
    const fitting = values.filter((value) => {
      const fits = value.length <= left;
      if (fits) left -= value.length;
      isCut ||= !fits;
      return fits;
    });
    if (fitting.length > 0) kept.set(name, fitting);
  }
  return { kept, isCut };
}
