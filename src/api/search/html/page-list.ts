import { escapeHtml } from '../../../core/escape-html.ts';
import { labelsOf } from './labels.ts';
import { attribute } from './markup.ts';

/** Page numbers shown at once. */
const WINDOW = 10;

export type Pages = {
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
  readonly language: string;
};

/** The pages around the present one, with `prev` and `next`; `''` for a single page. Contract: 2.11. */
export function pageList({ page, pageCount, language }: Pages): string {
  if (pageCount <= 1) return '';
  const { next, previous } = labelsOf(language);
  const size = Math.min(WINDOW, pageCount);
  const first = Math.min(Math.max(1, page - WINDOW / 2), pageCount - size + 1);
  const numbers = Array.from({ length: size }, (_, index) => first + index);
  const items = [
    ...(page > 1 ? [pageItem('prev', previous)] : []),
    ...numbers.map((number) => pageItem(number, String(number), number === page)),
    ...(page < pageCount ? [pageItem('next', next)] : []),
  ];
  return `<ul class="search_page_list">${items.join('')}</ul>`;
}

function pageItem(value: number | 'prev' | 'next', label: string, isCurrent = false): string {
  const current = isCurrent ? attribute('aria-current', 'page') : '';
  return `<li><a${attribute('data-page', value)} href="#"${current}>${escapeHtml(label)}</a></li>`;
}
