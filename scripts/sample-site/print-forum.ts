import { escapeHtml } from '../../src/core/escape-html.ts';
import { parseBlocks } from './blocks.ts';
import { printHtml, type ResolveLink } from './print-html.ts';
import type { Content } from './read-content.ts';

export type Post = { readonly author: string; readonly at: string; readonly text: string };

/** Posts begin with a line `@ name, 2026-03-02 18:40`. */
export function postsOf(page: Content): readonly Post[] {
  return page.text
    .split(/^@ /m)
    .slice(1)
    .map((part) => {
      const [top = '', ...lines] = part.split('\n');
      const [author = '', at = ''] = top.split(', ');
      return { author, at, text: lines.join('\n').trim() };
    });
}

export function printForum(page: Content, resolve: ResolveLink): string {
  const posts = postsOf(page).map(({ author, at, text }, index) => {
    const name = `<span class="author">${escapeHtml(author)}</span>`;
    const time = `<time datetime="${at.replace(' ', 'T')}Z">${at}</time>`;
    const number = `<a href="#post-${index + 1}">#${index + 1}</a>`;
    return `<article class="post" id="post-${index + 1}">\n<p class="byline">${name} · ${time} · ${number}</p>\n${printHtml(parseBlocks(text), resolve)}\n</article>`;
  });
  return `${posts.join('\n')}\n<p class="reply">You need an account to reply. Be kind: everybody was new once.</p>`;
}
