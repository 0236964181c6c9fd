import type { PageElement } from './page-tree.ts';

const PART = /#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:=(?:"([^"\]]*)"|'([^'\]]*)'|([^"'\]\s]*)))?\]/y;
const NAME = /[a-z][a-z0-9-]*/iy;

/** One element of CSS: its name, id, classes and attributes in any number, such as `a.logout[href="/out"]`. */
export function isSimpleSelector(text: string): boolean {
  return compile(text) !== undefined;
}

/** @throws SyntaxError for what is no simple selector */
export function compileSelector(text: string): (element: PageElement) => boolean {
  const tests = compile(text);
  if (tests === undefined) throw new SyntaxError(`${text} is no simple selector`);
  return (element) => tests.every((test) => test(element));
}

type Test = (element: PageElement) => boolean;

function compile(text: string): readonly Test[] | undefined {
  const tests: Test[] = [];
  NAME.lastIndex = 0;
  const name = NAME.exec(text)?.[0].toLowerCase();
  if (name !== undefined) tests.push((element) => element.name === name);
  let at = name?.length ?? 0;
  while (at < text.length) {
    PART.lastIndex = at;
    const part = PART.exec(text);
    if (part === null) return undefined;
    tests.push(testOf(part));
    at = PART.lastIndex;
  }
  return tests.length === 0 ? undefined : tests;
}

function testOf([, id, className, attribute = '', ...quoted]: RegExpExecArray): Test {
  if (id !== undefined) return ({ attributes }) => attributes['id'] === id;
  if (className !== undefined)
    return ({ attributes }) => attributes['class']?.split(/\s+/).includes(className) === true;
  const name = attribute.toLowerCase();
  const value = quoted.find((text) => text !== undefined);
  if (value === undefined) return ({ attributes }) => attributes[name] !== undefined;
  return ({ attributes }) => attributes[name] === value;
}
