import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = new URL('../../src/storage/', import.meta.url).pathname;
/** Files whose functions are operations. */
const OPERATIONS = /^(?:(?:engine|system)\/[\w-]+|sql\/meta)\.ts$/;
/** What stands before a call whose operation nobody drives: the end of a statement, a condition, an assignment. */
const LOST = /(?:[;{}]\s*|\bif \(|\bwhile \(|[!&|] ?|[^=!<>]= )$/;

/** Words of SQLite alone that PostgreSQL has under other names, or not at all. */
const SQLITE_ONLY =
  /\b(?:iif|json_each|json_extract|json_patch|json_group_array|json_object|instr|random|min|max)\(|\bINDEXED BY\b|\browid\b|IS NOT \$/g;

test('words of SQLite alone stand in the dialect only', () => {
  const found = [...sources()].flatMap(([name, text]) =>
    [...text.matchAll(/sql(?:<[^`]*>)?`[^`]*`/g)].flatMap(([template]) =>
      [...template.replaceAll(/\(SELECT (?:min|max)\(/g, '').matchAll(SQLITE_ONLY)].map(([word]) => `${name}: ${word}`),
    ),
  );

  expect(found).toEqual([]);
});

test('an operation that is called is driven or handed on: a call alone would do nothing', () => {
  const texts = sources();
  const operations = new Set([...texts.values()].flatMap(operationsOf));

  const lost = [...texts].flatMap(([name, text]) => lostCalls(text, operations).map((call) => `${name}: ${call}`));

  expect(operations.size).toBeGreaterThan(200);
  expect(lost).toEqual([]);
});

function sources(): ReadonlyMap<string, string> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => OPERATIONS.test(name));
  return new Map(files.map((name) => [name, withoutComments(readFileSync(join(FOLDER, name), 'utf8'))]));
}

/** Comments and interfaces name operations without calling them. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replaceAll(/^export interface[\s\S]*?^}/gm, '');
}

function operationsOf(text: string): readonly string[] {
  const declared = [...text.matchAll(/function\* (\w+)/g), ...text.matchAll(/^\s+\*(\w+)\(/gm)];
  const typed = text.matchAll(/(?:function |^\s+)(\w+)\([^()]*\): Operation</gm);
  return [...declared, ...typed].map(([, name]) => name ?? '');
}

function lostCalls(text: string, operations: ReadonlySet<string>): readonly string[] {
  const calls = text.matchAll(/(?<!\* ?)\b(?:\w+\??\.)*(\w+)\(/g);
  return [...calls].flatMap(({ 0: call, 1: name = '', index }) => {
    const isDeclared = /^[^()]*\)(?:: | \{)/.test(text.slice(index + call.length));
    return operations.has(name) && !isDeclared && LOST.test(text.slice(0, index)) ? [call] : [];
  });
}
