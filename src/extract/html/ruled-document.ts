import { type Fields, firstValue, type Section } from '../../core/document.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { ExtractedLanguage, Extraction, RuledField } from '../extraction.ts';
import type { CompiledFieldRule, RuleValues } from './field-rule.ts';
import type { FieldContext } from './field-sources.ts';
import { sectionIds } from './sections.ts';

/** What rules for fields may change of a document. */
export type RuledDocument = {
  readonly fields: Fields;
  readonly sources: Readonly<Record<string, string>>;
  readonly sections: readonly Section[];
  readonly language: ExtractedLanguage | undefined;
};

export type DocumentRules = {
  readonly documentId: string;
  readonly rules: readonly CompiledFieldRule[];
  /** Made when there are rules. */
  readonly context: () => FieldContext;
};

/**
 * The document as the operator's rules want it, with the field of its language. Sections and language follow from
 * `Content` and `Language`.
 */
export function ruleDocument(
  document: RuledDocument,
  { documentId, rules, context }: DocumentRules,
): RuledDocument & { readonly ruled: readonly RuledField[]; readonly notes: readonly string[] } {
  const known = withLanguage(document.fields, document.language);
  if (rules.length === 0) return { ...document, fields: known, ruled: [], notes: [] };
  const { sources, ruled, notes, ...found } = applyFieldRules(rules, context(), { ...document, fields: known });
  const language = ruledLanguage(found.fields, document);
  const fields = withLanguage(found.fields, language);
  const sections = ruledSections(document, { documentId, fields });
  return { fields, sources, sections, language, ruled, notes };
}

/** The field says what the document is taken for. */
function withLanguage(fields: Fields, language: RuledDocument['language']): Fields {
  const named = new Map(fields);
  if (language === undefined) named.delete('Language');
  else named.set('Language', [language.code]);
  return named;
}

/** A value that is no code of a language changes nothing. */
function ruledLanguage(fields: Fields, { language }: RuledDocument): RuledDocument['language'] {
  const code = firstValue(fields, 'Language').toLowerCase().slice(0, 2);
  if (code === language?.code || !/^[a-z]{2}$/.test(code)) return language;
  return { code, confidence: 1, from: 'settings' };
}

/** Text that rules add to `Content` is a section of its own; text in place of it is the only one. */
function ruledSections(
  { fields: before, sections }: RuledDocument,
  { documentId, fields }: { readonly documentId: string; readonly fields: Fields },
): readonly Section[] {
  const [old, present] = [before.get('Content') ?? [], fields.get('Content') ?? []];
  const isSame = old.length === present.length && old.every((value, at) => value === present[at]);
  if (isSame) return sections;
  const isAppended = old.length > 0 && old.every((value, at) => value === present[at]);
  const kept = isAppended ? sections : [];
  const lines = present.slice(isAppended ? old.length : 0).flatMap((value) => value.split('\n'));
  const blocks = lines.filter((text) => text.trim() !== '').map((text) => ({ kind: 'paragraph' as const, text }));
  const title = firstValue(fields, 'Title');
  const headings = title === '' ? [] : [{ level: 1, text: title }];
  const idOf = sectionIds(documentId);
  for (const section of kept) idOf(section.headings);
  return [...kept, { id: idOf(headings), headings, grounding: true, blocks }];
}

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
function applyFieldRules(
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

/** A title that a rule for fields has set is meant: the head has no say. */
export function judgedTitle(
  { isTitleSettled, headTitle, fields: own }: Pick<Extraction, 'isTitleSettled' | 'headTitle' | 'fields'>,
  ruled: Fields,
): Pick<Extraction, 'isTitleSettled' | 'headTitle'> {
  return { isTitleSettled, headTitle: ruled.get('Title') === own.get('Title') ? headTitle : '' };
}
