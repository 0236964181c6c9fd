import { parseSync, Visitor } from 'vite';

/** One small change of a source text that its tests should notice. */
export type Mutant = { readonly start: number; readonly end: number; readonly text: string };

const OPPOSITES: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>>': '<<',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

type Node = { readonly start: number; readonly end: number };

/**
 * All mutants of a TypeScript source: operators turned into their opposites, conditions held true or false, negations
 * and calls' results dropped, numbers raised by one. None inside of types, imports and texts.
 */
export function mutantsOf(path: string, source: string): readonly Mutant[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  const replace = ({ start, end }: Node, text: string) => void mutants.push({ start, end, text });
  const swap = (left: Node, operator: string, right: Node) => {
    const opposite = OPPOSITES[operator];
    if (opposite === undefined) return;
    const start = source.indexOf(operator, left.end);
    if (start + operator.length <= right.start) replace({ start, end: start + operator.length }, opposite);
  };
  const hold = (test: Node) => {
    replace(test, 'true');
    replace(test, 'false');
  };
  new Visitor({
    BinaryExpression: ({ left, operator, right }) => swap(left, operator, right),
    LogicalExpression: ({ left, operator, right }) => swap(left, operator, right),
    UnaryExpression: (node) => {
      if (node.operator === '!') replace(node, source.slice(node.argument.start, node.argument.end));
    },
    IfStatement: ({ test }) => hold(test),
    ConditionalExpression: ({ test }) => hold(test),
    Literal: (node) => {
      if (typeof node.value === 'number') replace(node, String(node.value + 1));
      if (typeof node.value === 'boolean') replace(node, String(!node.value));
    },
    ExpressionStatement: (node) => {
      if (node.expression.type === 'CallExpression' || node.expression.type === 'AssignmentExpression')
        replace(node, ';');
    },
  }).visit(program);
  return mutants.filter(({ start }) => !isInType(source, start));
}

/** Numbers and booleans of types stand behind `type X =`, `: ` of a member, or `<`: the parser visits them as well. */
function isInType(source: string, start: number): boolean {
  const line = source.slice(source.lastIndexOf('\n', start) + 1, start);
  return /^\s*(?:export\s+)?(?:type|interface)\b|^\s*readonly\b/.test(line);
}
