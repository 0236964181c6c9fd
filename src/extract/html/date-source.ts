import type { TextBlock } from './blocks.ts';
import type { DateReading } from './dates.ts';
import type { PageFacts } from './page-facts.ts';
import type { DataItem } from './structured-data.ts';

/**
 * `stated`: the page says that it is the date of publication · `page`: of the page as a whole, which systems set for
 * every page · `marked`: an element that is made for a date · `titled`: right behind the title ·
 * `near`: stands by the title or where dates do · `said`: behind a word such as "published" · `changed`: date of the last change · `only`: most frequent in the text.
 */
export type DateOrigin = 'stated' | 'page' | 'marked' | 'titled' | 'near' | 'said' | 'changed' | 'only';
export type DateCandidate = { readonly date: string; readonly source: string; readonly origin: DateOrigin };

export type DateSource = {
  readonly url: string;
  readonly facts: PageFacts;
  readonly items: readonly DataItem[];
  /** All text of the page in document order. */
  readonly blocks: readonly TextBlock[];
  readonly content: string;
  readonly title: string;
  readonly reading: DateReading;
};
