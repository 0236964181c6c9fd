import { z } from 'zod';
import { PACK_RECORD } from './read-pack.ts';

const texts = z.array(z.string()).nullish();

/** A page of `wcxb-dev-*`: main text, title and more, of seven kinds of page. */
export const WCXB_RECORD = PACK_RECORD.extend({
  truth: z.object({
    _internal: z.object({ page_type: z.object({ primary: z.string() }) }),
    ground_truth: z.object({
      title: z.string().nullish(),
      author: z.string().nullish(),
      publish_date: z.string().nullish(),
      main_content: z.string().nullish(),
      with: texts,
      without: texts,
    }),
  }),
});
export type WcxbRecord = z.infer<typeof WCXB_RECORD>;

/** A page of `articles-*`: segments that must and must not appear, its day, or both. */
export const ARTICLE_RECORD = PACK_RECORD.extend({
  with: texts,
  without: texts,
  date: z.string().nullish(),
  dateUrl: z.string().nullish(),
});
export type ArticleRecord = z.infer<typeof ARTICLE_RECORD>;

/** URL that a date of the page may stand in; saved copies have none of their own. */
export function urlOf({
  url,
  dateUrl,
}: {
  readonly url: string;
  readonly dateUrl?: string | null | undefined;
}): string {
  for (const candidate of [dateUrl, url]) if (candidate && /^https?:/.test(candidate)) return candidate;
  return 'https://page.example/';
}
