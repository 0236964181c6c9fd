import type { MatchNode } from './query-plan.ts';

/** The tree with stop words left out, or taken as content when nothing outside `not` is content. */
export function dropStopWords(match: MatchNode): MatchNode {
  return hasContent(match) ? (withoutStops(match) ?? { kind: 'none' }) : match;
}

function hasContent(node: MatchNode): boolean {
  switch (node.kind) {
    case 'word':
      return node.role === 'content';
    case 'all':
    case 'phrase':
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
    case 'filter':
      return true;
    case 'and':
    case 'or':
      return node.of.some(hasContent);
    case 'some':
      return node.must.some(hasContent) || node.should.some(hasContent);
    case 'none':
    case 'not':
      return false;
  }
}

/** Undefined when nothing is left of the node. */
function withoutStops(node: MatchNode): MatchNode | undefined {
  const kept = (nodes: readonly MatchNode[]) => nodes.map(withoutStops).filter((part) => part !== undefined);
  switch (node.kind) {
    case 'word':
      return node.role === 'stop' ? undefined : node;
    case 'and':
    case 'or': {
      const input = kept(node.of);
      return input.length === 0 && node.of.length > 0 ? undefined : { kind: node.kind, of: input };
    }
    case 'some': {
      const must = kept(node.must);
      const should = kept(node.should);
      return must.length + should.length === 0 ? undefined : { kind: 'some', must, should };
    }
    default:
      return node;
  }
}
