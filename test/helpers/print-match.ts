import type { FilterNode } from '../../src/core/filters.ts';
import type { MatchNode } from '../../src/search-index/query-plan.ts';

/** A short form: stop words with `~`, fields with `Field:`, factors with `^`, groups by name, alternatives in `<>`. */
export function printMatch(node: MatchNode): string {
  switch (node.kind) {
    case 'all':
      return '*';
    case 'none':
      return 'none';
    case 'word': {
      const also = node.also.map(({ words, weight }) => `${words.join('_')}*${weight}`).join(' ');
      return `${node.role === 'stop' ? '~' : ''}${asked(node, node.text)}${also === '' ? '' : `<${also}>`}`;
    }
    case 'phrase':
      return asked(node, `"${node.words.join(' ')}"${node.slop === 0 ? '' : `~${node.slop}`}`);
    case 'some':
      return `some(${node.must.map(printMatch).join(' ')} | ${node.should.map(printMatch).join(' ')})`;
    case 'prefix':
      return asked(node, `${node.pattern}*`);
    case 'wildcard':
      return asked(node, node.pattern);
    case 'fuzzy':
      return asked(node, `${node.text}~${node.distance}`);
    case 'filter':
      return asked({ boost: node.boost }, `{${printFilter(node.filter)}}`);
    default:
      return `${node.kind}(${node.of.map(printMatch).join(' ')})`;
  }
}

function asked({ field, boost }: { readonly field?: string; readonly boost: number }, text: string): string {
  return `${field === undefined ? '' : `${field}:`}${text}${boost === 1 ? '' : `^${boost}`}`;
}

function printFilter(filter: FilterNode): string {
  switch (filter.kind) {
    case 'number':
      return `${filter.field} ${filter.min}..${filter.max}`;
    case 'date':
      return `${filter.field} ${instant(filter.from)}..${instant(filter.to)}`;
    case 'compare':
      return `${filter.field} ${filter.operator} ${filter.values.join('|')}`;
    case 'exists':
      return `${filter.field} exists`;
    case 'and':
      return filter.of.map(printFilter).join(' & ');
    default:
      return filter.kind;
  }
}

function instant(at: number): string {
  return Number.isFinite(at) ? new Date(at).toISOString() : '';
}
