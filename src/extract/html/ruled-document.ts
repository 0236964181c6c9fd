import { type Fields, firstValue, type Section } from '../../core/document.ts';
import type { ExtractedLanguage, RuledField } from '../extraction.ts';
import type { CompiledFieldRule } from './field-rule.ts';
import type { FieldContext } from './field-sources.ts';
import { applyFieldRules } from './fields.ts';
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
