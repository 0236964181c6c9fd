import { escapeHtml } from '../../core/escape-html.ts';
import { foldText } from './page-tree.ts';
import { type DataItem, isOfType, textAt, textsAt } from './structured-data.ts';

const ARTICLE = /(?:Article|Posting|Report)$/;
const POST = /^(?:DiscussionForumPosting|SocialMediaPosting|Comment|Answer|Question)$/;
const STEP = /^(?:HowToStep|HowToDirection|HowToTip)$/;
const DESCRIBED = /^(?:(?:Individual)?Product|Event|JobPosting|Course)$/;

/** The texts that the page's items carry for machines, in order, as HTML. Plain texts are escaped, so that nothing is markup but what was. */
export function structuredText(items: readonly DataItem[]): string {
  const parts: string[] = [];
  // Of several they are what a list says of its entries.
  const isOne = items.filter((item) => isOfType(item, DESCRIBED)).length === 1;
  const known = new Set<string>();
  const add = (texts: readonly string[]) => {
    for (const text of texts) {
      if (known.has(text)) continue;
      known.add(text);
      parts.push(htmlOf(text));
    }
  };
  for (const item of items) {
    const { data } = item;
    if (isOfType(item, ARTICLE)) add(textsAt(data, 'articleBody'));
    if (isOfType(item, /^(?:Question|HowToSection)$/)) parts.push(headingOf(textAt(data, 'name')));
    if (isOfType(item, POST) || isOfType(item, STEP)) add(textsAt(data, 'text'));
    if (isOfType(item, /^Recipe$/)) {
      parts.push(listOf(textsAt(data, 'recipeIngredient')));
      add(textsAt(data, 'recipeInstructions'));
    }
    if (isOne && isOfType(item, DESCRIBED)) add(textsAt(data, 'description'));
  }
  return parts.join('\n');
}

function headingOf(text: string): string {
  const plain = foldText(text);
  return plain === '' ? '' : `<summary>${escapeHtml(plain)}</summary>`;
}

function listOf(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `<ul>${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;
}

const MARKUP = /<(?:p|br|div|ul|ol|li|h[1-6]|table|b|strong|i|em|a|span)[\s/>]/i;
const ESCAPED_MARKUP = /&lt;(?:p|br|div|ul|ol|li|h[1-6]|table|b|strong|i|em|a|span)(?:\s|\/|&gt;)/i;

/** A text that may be HTML, HTML escaped once more, or plain with lines. */
export function htmlOf(text: string): string {
  if (MARKUP.test(text)) return `<div>${text}</div>`;
  if (ESCAPED_MARKUP.test(text)) return `<div>${unescapeOnce(text)}</div>`;
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('');
}

function unescapeOnce(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
