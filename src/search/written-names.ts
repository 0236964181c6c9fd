import { analyzeText, type Token } from '../text/analyzer.ts';

/** A name as programs have it in a query text, and its words: `LUMO_READY`, `os.path`, `std::move`, `moor()`. */
export type WrittenName = { readonly text: string; readonly words: readonly string[] };

/** What the parts of one name are written with. */
const GLUE = /^(?:_+|-|\.|::|#|->)$/;
const IS_CALL = /^\(/;
/** The option of compilers that sets a macro: `-DLUMO_READY`. */
const DEFINE = /^-D\p{Lu}/u;
const CAMEL_CASE = /\p{Ll}\p{Lu}/u;

/** The names in a text that say by how they are written that they are names. Linear. */
export function writtenNames(text: string): readonly WrittenName[] {
  const names: Token[][] = [];
  for (const token of analyzeText(text, '').tokens) {
    const last = names.at(-1)?.at(-1);
    if (last !== undefined && GLUE.test(text.slice(last.end, token.start))) names.at(-1)?.push(token);
    else names.push([token]);
  }
  return names.flatMap((tokens) => {
    const [first, last] = [tokens[0], tokens.at(-1)];
    if (first === undefined || last === undefined) return [];
    const isDefine = DEFINE.test(text.slice(Math.max(0, first.start - 1), first.start + 2));
    const name = text.slice(isDefine ? first.start + 1 : first.start, last.end);
    const isName = tokens.length > 1 || CAMEL_CASE.test(name) || IS_CALL.test(text.slice(last.end));
    return isName ? [{ text: name, words: tokens.map(({ surface }) => surface) }] : [];
  });
}
