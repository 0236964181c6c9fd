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
  const definitions = document.structure?.definitions ?? [];
  const owner = ownName(definitions);
  if (owner !== undefined) for (const name of qualifiedNames(owner)) add(name, 'a');
  for (const definition of definitions) {
    for (const name of new Set(definedNames(definition, owner).flat())) add(name, 'b');
  }
  return names;
}

/**
 * The place of a document that defines one of these names (`nameTerm`), the likeliest name first and of one the fullest;
 * undefined = none. `filter` is defined by `Queue.filter`, too. O(characters of the definitions).
 */
export function definitionOf(document: StoredDocument, terms: readonly string[]): Definition | undefined {
  if (terms.length === 0) return undefined;
  const rankOf = new Map(terms.map((term, at) => [term, at] as const).reverse());
  const definitions = document.structure?.definitions ?? [];
  const owner = ownName(definitions);
  let found: { readonly definition: Definition; readonly rank: number } | undefined;
  for (const definition of definitions) {
    if (definition.anchor === '') continue;
    const ranks = definedNames(definition, owner).flatMap((names) =>
      names.flatMap((name, cut) => {
        const rank = rankOf.get(nameTerm(name) ?? '');
        return rank === undefined ? [] : [rank * (MAX_SUFFIXES + 1) + cut];
      }),
    );
    const rank = Math.min(...ranks);
    if (rank < (found?.rank ?? Number.POSITIVE_INFINITY)) found = { definition, rank };
  }
  return found?.definition;
}

/** The whole name of what a page is about: it is defined, and has no place on the page. */
function ownName(definitions: readonly Definition[]): string | undefined {
  return definitions.find(({ anchor, text }) => anchor === '' && text.search(QUALIFIER) > 0)?.text;
}

/** Names by what the mark and the text of a definition say: what belongs to the page's own name is called by both. */
function definedNames({ anchor, text }: Definition, owner: string | undefined): readonly (readonly string[])[] {
  return [anchor, text].map((own) => {
    const name = own.replace(CALL, '');
    const isPart = owner !== undefined && anchor !== '' && name !== '' && name.search(QUALIFIER) < 0;
    return qualifiedNames(isPart ? `${owner}.${name}` : name);
  });
}

/** A name and its last parts: `package.Class.method`, `Class.method`, `method`. */
function qualifiedNames(name: string): readonly string[] {
  const starts = [0, ...[...name.matchAll(QUALIFIER)].map(({ index, 0: mark }) => index + mark.length)];
  const suffixes = starts.slice(-MAX_SUFFIXES).map((start) => name.slice(start));
  return [...new Set([name, ...suffixes])];
}
