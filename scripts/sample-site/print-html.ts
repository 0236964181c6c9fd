import { escapeHtml } from '../../src/core/escape-html.ts';
import type { Block } from './blocks.ts';

/** Turns a link as written in the sources (`/visit/tickets`, from the site's root) into one that fits the page. */
export type ResolveLink = (target: string) => string;

export function printHtml(blocks: readonly Block[], resolve: ResolveLink): string {
  return blocks.map((block) => printBlock(block, resolve)).join('\n');
}

export function printInline(text: string, resolve: ResolveLink): string {
  return escapeHtml(text)
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label, target) => `<a href="${resolve(target)}">${label}</a>`)
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\b_([^_]+)_\b/g, '<em>$1</em>');
}

export function slugOf(text: string): string {
  const plain = text.toLowerCase().replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '');
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function printBlock(block: Block, resolve: ResolveLink): string {
  const inline = (text: string) => printInline(text, resolve);
  switch (block.kind) {
    case 'heading':
      return `<h${block.level} id="${slugOf(block.text)}">${inline(block.text)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${inline(block.text)}</p>`;
    case 'quote':
      return `<blockquote><p>${inline(block.text)}</p></blockquote>`;
    case 'list': {
      const tag = block.isOrdered ? 'ol' : 'ul';
      return `<${tag}>\n${block.items.map((item) => `<li>${inline(item)}</li>`).join('\n')}\n</${tag}>`;
    }
    case 'table':
      return printTable(block.rows, inline);
  }
}

function printTable(rows: readonly (readonly string[])[], inline: (text: string) => string): string {
  const [top = [], ...rest] = rows;
  const head = top.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('');
  const body = rest.map(([first = '', ...cells]) => {
    const others = cells.map((cell) => `<td>${inline(cell)}</td>`).join('');
    return `<tr><th scope="row">${inline(first)}</th>${others}</tr>`;
  });
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>`;
}
