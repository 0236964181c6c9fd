import type { QueryNode } from '../../src/search/query/parse-query.ts';
import type { WrittenBound } from '../../src/search/query/read-lexemes.ts';

/** A query text that means this tree: `parseQuery(printQuery(parseQuery(text)))` is `parseQuery(text)`. */
export function printQuery(node: QueryNode): string {
  switch (node.kind) {
    case 'everything':
      return '*';
    case 'words':
      return `${field(node.field)}${word(node.text)}`;
    case 'phrase':
      return `${field(node.field)}"${node.text.replace(/["\\]/g, '\\$&')}"${node.slop === 0 ? '' : `~${node.slop}`}`;
    case 'pattern':
      return `${field(node.field)}${node.pattern.replace(/\\[\s\S]|[-+!()":^~[\]{}&|\s]/g, escapeSign)}`;
    case 'fuzzy':
      return `${field(node.field)}${word(node.text)}~${node.distance ?? ''}`;
    case 'range': {
      const { from, to } = node.range;
      const [open, close] = [from?.inclusive === false ? '{' : '[', to?.inclusive === false ? '}' : ']'];
      return `${field(node.field)}${open}${bound(from)} TO ${bound(to)}${close}`;
    }
    case 'list': {
      const clauses = node.clauses.map(({ sign, boost, node: inner }) => {
        const text = inner.kind === 'list' ? `(${printQuery(inner)})` : printQuery(inner);
        return `${SIGNS[sign]}${text}${boost === 1 ? '' : `^${boost}`}`;
      });
      return clauses.join(` ${node.operator} `);
    }
  }
}

const SIGNS = { none: '', required: '+', excluded: '!' } as const;

function field(name: string | undefined): string {
  return name === undefined ? '' : `${escaped(name)}:`;
}

/** What is left of nothing but punctuation is printed as such. */
function word(text: string): string {
  return text === '' ? '?' : escaped(text);
}

function bound(written: WrittenBound | undefined): string {
  return written === undefined ? '*' : `"${written.text.replace(/["\\]/g, '\\$&')}"`;
}

function escapeSign(sign: string): string {
  return sign.startsWith('\\') ? sign : `\\${sign}`;
}

/** Every sign that could mean something, and a first letter, so that `AND` is a word. */
function escaped(text: string): string {
  const signs = text.replace(/[-+!()":\\^~*?[\]{}&|\s]/g, '\\$&');
  return /^(AND|OR|NOT)$/.test(signs) ? `\\${signs}` : signs;
}
