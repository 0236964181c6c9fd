import { parseDocument } from 'htmlparser2';

export type HtmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
};

/** The elements of a piece of HTML in document order, each with its attributes and all text inside. */
export function elementsOf(html: string): readonly HtmlElement[] {
  return parseDocument(html).children.flatMap(collect);
}

type Node = ReturnType<typeof parseDocument>['children'][number];

function collect(node: Node): readonly HtmlElement[] {
  if (!('attribs' in node)) return [];
  const element = { name: node.name, attributes: { ...node.attribs }, text: node.children.map(textOf).join('') };
  return [element, ...node.children.flatMap(collect)];
}

function textOf(node: Node): string {
  if ('children' in node) return node.children.map(textOf).join('');
  return 'data' in node ? node.data : '';
}
