import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = new URL('../../src/storage/', import.meta.url).pathname;
/** Files whose functions are operations. */
const OPERATIONS = /^sql\/(?:(?:engine|system)\/[\w-]+|meta)\.ts$/;
/** What stands before a call whose operation nobody drives: the end of a statement, a condition, an assignment. */
const LOST = /(?:[;{}]\s*|\bif \(|\bwhile \(|[!&|] ?|[^=!<>]= )$/;

test('an operation that is called is driven or handed on: a call alone would do nothing', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => OPERATIONS.test(name));
  const texts = new Map(files.map((name) => [name, withoutComments(readFileSync(join(FOLDER, name), 'utf8'))]));
  const operations = new Set([...texts.values()].flatMap(operationsOf));

  const lost = [...texts].flatMap(([name, text]) => lostCalls(text, operations).map((call) => `${name}: ${call}`));

  expect(operations.size).toBeGreaterThan(200);
  expect(lost).toEqual([]);
});

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
