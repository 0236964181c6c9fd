import { textClassOf } from '../relevance.ts';

/** Class numbers as stored: A, B, C, and D for fields that plain words do not search. */
export const CLASS_NUMBERS = { a: 0, b: 1, c: 2, none: 3 } as const;

export type NumberedField = { readonly name: string; readonly class: number };

export type FieldNumberLists = {
  readonly fields: readonly NumberedField[];
  readonly languages: readonly string[];
  readonly crawlers: readonly number[];
};

/** Languages beyond share the last bit of a language mask and are not stemmed. */
const LAST_LANGUAGE = 31;
const MAX_FIELDS = 65_535;

/**
 * The numbers that segments use for fields, languages and crawlers: positions in append-only lists of the manifest.
 * Language 0 is the engine's own.
 */
export class FieldNumbers {
  private readonly fields: NumberedField[];
  private readonly languages: string[];
  private readonly crawlers: number[];
  private readonly fieldByName = new Map<string, number>();

  constructor(lists: FieldNumberLists) {
    this.fields = [...lists.fields];
    this.languages = [...lists.languages];
    this.crawlers = [...lists.crawlers];
    for (const [number, { name }] of this.fields.entries()) this.fieldByName.set(name, number);
  }

  /** Number of a field, undefined when the engine has no room for another name. */
  field(name: string): number | undefined {
    const known = this.fieldByName.get(name);
    if (known !== undefined) return known;
    if (this.fields.length >= MAX_FIELDS) return undefined;
    this.fieldByName.set(name, this.fields.length);
    this.fields.push({ name, class: CLASS_NUMBERS[textClassOf(name)] });
    return this.fields.length - 1;
  }

  classOf(field: number): number {
    return this.fields[field]!.class;
  }

  /** `''` = the engine's own language. */
  language(code: string): number {
    if (code === '') return 0;
    const known = this.languages.indexOf(code);
    if (known >= 0) return known;
    if (this.languages.length < LAST_LANGUAGE) return this.languages.push(code) - 1;
    if (this.languages.length === LAST_LANGUAGE) this.languages.push('');
    return LAST_LANGUAGE;
  }

  languageCode(language: number): string {
    return this.languages[language]!;
  }

  crawler(id: number): number {
    const known = this.crawlers.indexOf(id);
    return known >= 0 ? known : this.crawlers.push(id) - 1;
  }

  crawlerIds(): readonly number[] {
    return this.crawlers;
  }

  lists(): FieldNumberLists {
    return { fields: [...this.fields], languages: [...this.languages], crawlers: [...this.crawlers] };
  }
}
