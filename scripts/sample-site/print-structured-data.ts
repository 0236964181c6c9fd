import { type Block, parseBlocks, plainText } from './blocks.ts';
import { postsOf } from './print-forum.ts';
import type { ResolveLink } from './print-html.ts';
import { type Content, shortTitle } from './read-content.ts';

const CONTEXT = 'https://schema.org';

/** JSON-LD: the breadcrumb, and what the page is about. */
export function printStructuredData(page: Content, trail: readonly Content[], resolve: ResolveLink): string {
  const records = [...breadcrumb(page, trail, resolve), ...subject(page)];
  return records
    .map((record) => JSON.stringify({ '@context': CONTEXT, ...record }).replaceAll('<', '\\u003c'))
    .map((text) => `<script type="application/ld+json">${text}</script>`)
    .join('\n');
}

function breadcrumb(page: Content, trail: readonly Content[], resolve: ResolveLink): readonly object[] {
  if (trail.length === 0) return [];
  const steps = [...trail, page].map((step, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: shortTitle(step),
    item: resolve(`/${step.path}`),
  }));
  return [{ '@type': 'BreadcrumbList', itemListElement: steps }];
}

function subject(page: Content): readonly object[] {
  const { head, title, description, language } = page;
  const about = { headline: title, description, inLanguage: language };
  const dates = { datePublished: head['date'], dateModified: head['updated'] };
  const author = head['author'] && { author: { '@type': 'Person', name: head['author'] } };
  switch (page.kind) {
    case 'article':
      return [{ '@type': 'NewsArticle', ...about, ...dates, ...author }];
    case 'guide':
      return [{ '@type': 'Article', ...about, ...dates, ...author }];
    case 'product': {
      const offers = { '@type': 'Offer', price: head['price'], priceCurrency: 'EUR' };
      return [{ '@type': 'Product', name: title, description, sku: head['sku'], offers }];
    }
    case 'forum': {
      const [first, ...replies] = postsOf(page);
      const person = (name = '') => ({ '@type': 'Person', name });
      const comment = replies.map((post) => ({
        '@type': 'Comment',
        author: person(post.author),
        text: plainText(post.text),
      }));
      const thread = { headline: title, author: person(first?.author), datePublished: first?.at.slice(0, 10), comment };
      return [{ '@type': 'DiscussionForumPosting', ...thread }];
    }
    case 'faq': {
      const mainEntity = questionsOf(parseBlocks(page.text)).map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      }));
      return [{ '@type': 'FAQPage', mainEntity }];
    }
    default:
      return [];
  }
}

/** Each heading with the paragraph below it. */
function questionsOf(blocks: readonly Block[]): readonly { question: string; answer: string }[] {
  return blocks.flatMap((block, at) => {
    if (block.kind !== 'heading' || block.level !== 2) return [];
    const answer = blocks[at + 1];
    return answer?.kind === 'paragraph' ? [{ question: block.text, answer: plainText(answer.text) }] : [];
  });
}
