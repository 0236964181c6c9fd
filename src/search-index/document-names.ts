import { type Definition, firstValue, type StoredDocument } from '../core/document.ts';
import { linkCount } from '../core/link-texts.ts';
import { nameTerm } from '../text/term-keys.ts';
import { nameInTitle } from '../text/title-name.ts';
import type { TextClass } from './relevance.ts';

/** Titles are class a; what links and definitions say is class b. */
export type NameClass = Extract<TextClass, 'a' | 'b'>;

/** A name of a document, as its `nameTerm`. Of one class and term there may be several. */
export type DocumentName = { readonly term: string; readonly textClass: NameClass };

/** Names of one document that are looked at. */
const MAX_NAMES = 2_000;
/** Before what a function takes, and behind what kind of thing it is. */
const CALL = /\s*\(.*$/s;
const QUALIFIER = /(?:\.|::|#|->)(?=[\p{L}_])/gu;
/** The last parts of a qualified name that are names, too. */
const MAX_SUFFIXES = 4;

/**
 * The names under which a document is known: its title and the name in it, what it defines, and the texts of links
 * that lead to it. Of qualified names (`package.Class.method`) the last parts are names, too. Headings are not: many
 * pages have one that says "Exceptions". O(characters of title, definitions and link texts).
 */
export function namesOf(document: StoredDocument): readonly DocumentName[] {
  const names: DocumentName[] = [];
  const add = (text: string, textClass: NameClass) => {
    const term = names.length < MAX_NAMES ? nameTerm(text) : undefined;
    if (term !== undefined) names.push({ term, textClass });
  };
  const title = firstValue(document.fields, 'Title');
  for (const text of new Set([title, nameInTitle(title)])) add(text, 'a');
  for (const { text, pages } of document.linkTexts ?? []) {
    for (let time = 0; time < linkCount(pages); time++) add(text.replace(CALL, ''), 'b');
  }
  for (const { anchor, text } of document.structure?.definitions ?? []) {
    for (const name of new Set([anchor, text].flatMap((own) => qualifiedNames(own.replace(CALL, ''))))) add(name, 'b');
  }
  return names;
}

/**
 * The place of a document that defines a name (its `nameTerm`), the fullest name first; undefined = none. `filter` is defined
 * by `Queue.filter`, too. O(characters of the definitions).
 */
export function definitionOf(document: StoredDocument, term: string): Definition | undefined {
  let found: { readonly definition: Definition; readonly cut: number } | undefined;
  for (const definition of document.structure?.definitions ?? []) {
    if (definition.anchor === '') continue;
    const names = [definition.anchor, definition.text].map((own) => qualifiedNames(own.replace(CALL, '')));
    const cut = Math.min(...names.flatMap((own) => own.flatMap((name, at) => (nameTerm(name) === term ? [at] : []))));
    if (cut < (found?.cut ?? Number.POSITIVE_INFINITY)) found = { definition, cut };
  }
  return found?.definition;
}

/** A name and its last parts: `package.Class.method`, `Class.method`, `method`. */
function qualifiedNames(name: string): readonly string[] {
  const starts = [0, ...[...name.matchAll(QUALIFIER)].map(({ index, 0: mark }) => index + mark.length)];
  const suffixes = starts.slice(-MAX_SUFFIXES).map((start) => name.slice(start));
  return [...new Set([name, ...suffixes])];
}
