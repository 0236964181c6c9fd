import type { TextBlock } from '../blocks.ts';
import { headingText } from '../heading-parts.ts';
import type { PageFacts } from '../page-facts.ts';
import { articleOf, foldText, isWithin, type PageElement, textOf, withoutPermalink } from '../page-tree.ts';
import type { DataItem } from '../structured-data.ts';
import { type DateReading, findDates, findLoneDates, readDate } from './dates.ts';

const BEHIND_CHARS = 500;
const BEFORE_CHARS = 200;

type TextAroundTitle = { readonly behind: string; readonly before: string };

/** Text behind and before the title, as far as it stands in place. */
export function textAroundTitle(
  { facts, blocks, title }: DateSource,
  placed: (element: PageElement) => boolean,
): TextAroundTitle {
  const h1 = facts.h1.find((element) => foldText(textOf(element, BEFORE_CHARS)) !== '');
  const inHeading = h1 === undefined ? -1 : blocks.findLastIndex(({ element }) => isWithin(element, h1));
  const at = inHeading >= 0 ? inHeading : blocks.findIndex(({ text }) => text === title);
  if (at < 0) return { behind: '', before: '' };
  let behind = '';
  for (let next = at + 1; next < blocks.length && behind.length < BEHIND_CHARS; next++) {
    behind += textInPlace(blocks[next], placed);
  }
  let before = '';
  for (let last = at - 1; last >= 0 && before.length < BEFORE_CHARS; last--) {
    before = textInPlace(blocks[last], placed) + before;
  }
  return { behind: behind.slice(0, BEHIND_CHARS), before: before.slice(-BEFORE_CHARS) };
}

function textInPlace(block: TextBlock | undefined, placed: (element: PageElement) => boolean): string {
  return block === undefined || !placed(block.element) ? '' : `${block.text.slice(0, BEHIND_CHARS)}\n`;
}

const WORDS =
  /(?:published|posted|updated|veröffentlicht|erschienen|erstellt|geschrieben|publié|mis en ligne|publicado|pubblicato|gepubliceerd|publicerad|udgivet|opublikowano|datum|stand|date)\s*(?:on|am|le|il|el|den)?\s*:?\s*(.{0,40})/gi;
/** Sentences that say of the page when it was published, and nothing else. */
const ANNOUNCED =
  /(?:\b(?:published|posted|veröffentlicht|erschienen|publié|mis en ligne|publicado|pubblicato|gepubliceerd|publicerad|udgivet|opublikowano)\s*(?:on|am|le|il|el|op|den)?\s*:|(?:artikel|beitrag|eintrag|text) (?:wurde|ist) am|(?:article|post|entry|story) was (?:first |originally )?(?:published|posted|written) on)\s*(.{0,40})/gi;
/** Blocks that are looked at, and characters of each: such lines are short. */
const MAX_WORD_BLOCKS = 1_000;
const WORD_BLOCK_CHARS = 500;
/** What every date has. */
const YEAR = /(?:19|20)\d\d/;
/** Characters between the word and the year. */
const WORD_REACH = 30;

/** The day behind words such as "updated" and "date". */
export function saidDate(source: DateSource): string {
  return dateBehind(WORDS, source);
}

/** The day of a sentence that says when the page was published, or below a label that does. */
export function announcedDate(source: DateSource): string {
  return dateBehind(ANNOUNCED, source) || dateBelow(LABEL, source);
}

function dateBehind(words: RegExp, { blocks, reading }: DateSource): string {
  for (const { text } of blocks.slice(0, MAX_WORD_BLOCKS)) {
    const head = text.slice(0, WORD_BLOCK_CHARS);
    if (!YEAR.test(head)) continue;
    for (const [, behind = ''] of head.matchAll(words)) {
      const found = findDates(behind, reading, 1)[0];
      if (found !== undefined && found.at <= WORD_REACH) return found.date;
    }
  }
  return '';
}

/** A line that announces the one below. */
const LABEL =
  /^(?:(?:first |originally )?(?:published|posted)(?: on)?|(?:publication|release) date|date (?:published|posted)|veröffentlicht(?: am)?|erschienen(?: am)?|publié(?: le)?|publicado(?: el)?|pubblicato(?: il)?|gepubliceerd(?: op)?|publicerad|udgivet|opublikowano)\s*:?$/i;
const LABEL_CHARS = 40;

function dateBelow(label: RegExp, { blocks, reading }: DateSource): string {
  const looked = blocks.slice(0, MAX_WORD_BLOCKS);
  for (const [at, { text }] of looked.entries()) {
    if (text.length > LABEL_CHARS || !label.test(text)) continue;
    const date = readDate((looked[at + 1]?.text ?? '').slice(0, LABEL_CHARS), reading.now, reading.order);
    if (date !== '') return date;
  }
  return '';
}

/** Longer ones tell something. */
const LINE_CHARS = 80;
const SENTENCE_END = /\p{L}[.!?]$/u;

/** Of the last change, as encyclopaedias say it below every page. */
const CHANGED =
  /edited|modified|updated|changed|revised|bearbeitet|geändert|aktualisiert|modifié|mise? à jour|modificad|actualizad|modificat|aggiornat|gewijzigd|bijgewerkt|ändrad|uppdaterad|ændret|opdateret|endret|oppdatert|muokattu|päivitetty/i;

/** The day that short lines with one date say, when all say the same, and not only of a change. */
export function lineDate({ blocks, reading }: DateSource): string {
  const lines = blocks.slice(0, MAX_WORD_BLOCKS).flatMap(({ text, element }) => {
    if (text.length > LINE_CHARS || !YEAR.test(text) || SENTENCE_END.test(text)) return [];
    const [found, second] = findLoneDates(text, reading, 2);
    if (found === undefined || second !== undefined || isOfOthers(element)) return [];
    return [{ date: found.date, isChange: CHANGED.test(text) }];
  });
  return lines.every(({ isChange }) => isChange) ? '' : oneDay(lines.map(({ date }) => date));
}

/** `2026-03-04 | Press release`: what stands above a text, or names it in a list. */
const LABELLED_DAY = /^[^|]{6,30}\|\s*\p{L}[^|]*$/u;

/** The day of lines that say, behind a bar, what kind of text is of that day, when all say the same. */
export function labelledDate({ blocks, reading }: DateSource, placed: (element: PageElement) => boolean): string {
  const days = blocks.slice(0, MAX_WORD_BLOCKS).flatMap(({ text, element }) => {
    if (text.length > LINE_CHARS || !LABELLED_DAY.test(text) || isOfOthers(element) || !placed(element)) return [];
    const date = readDate(text.slice(0, text.indexOf('|')), reading.now, reading.order);
    return date === '' ? [] : [date];
  });
  return oneDay(days);
}

/** The first of dates that are all of one day. */
export function oneDay(dates: readonly string[]): string {
  const [first = ''] = dates;
  return dates.every((date) => date.slice(0, 10) === first.slice(0, 10)) ? first : '';
}

const COUNTED_CHARS = 20_000;

/** The day that the main text names most often; `''` when two are as frequent. */
export function mostFrequent({ content, reading }: DateSource): string {
  const counts = new Map<string, number>();
  for (const { date } of findLoneDates(content.slice(0, COUNTED_CHARS), reading)) {
    const day = date.slice(0, 10);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
  return first !== undefined && first[1] > (second?.[1] ?? 0) ? first[0] : '';
}

const OUTSIDE =
  /(?:^|[\s_-])(?:comments?|comment-?list|commentaires?|commentarii|comentarios?|comentários?|commenti|kommentare?|reacties|reactions|repl(?:y|ies)|responses?|related|sidebar|recommended)(?:$|[\s_-])|(?:^|\s)(?:widgets?|(?:site-|page-)?footer)(?:$|\s)/i;

/** True of elements outside of navigation, comments, sidebars and lists of other pages. */
export function placeTest({ facts, blocks, title }: DateSource): (element: PageElement) => boolean {
  const known = new Map<PageElement, boolean>();
  // What holds the title is the page, whatever it is called.
  const titled = blocks.find(({ text }) => text === title)?.element;
  for (const heading of [...facts.h1.slice(0, MAX_H1), ...(titled === undefined ? [] : [titled])]) {
    for (let at: PageElement | undefined = heading.parent; at !== undefined && !known.has(at); at = at.parent)
      known.set(at, true);
  }
  const isIn = (element: PageElement): boolean => {
    const chain: PageElement[] = [];
    let at: PageElement | undefined = element;
    for (; at !== undefined && !known.has(at); at = at.parent) chain.push(at);
    let answer = at === undefined ? true : (known.get(at) ?? true);
    for (const link of chain.reverse()) {
      answer &&= !isOutside(link);
      known.set(link, answer);
    }
    return answer;
  };
  return isIn;
}

function isOutside(element: PageElement): boolean {
  const { name, attributes } = element;
  if (name === 'aside' || name === 'nav') return true;
  // Of an article it names author and day.
  if (name === 'footer') return articleOf(element) === undefined;
  if (name === 'html' || name === 'body' || name === 'main' || name === 'article') return false;
  const names = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`;
  return OUTSIDE.test(names) && !POSTS.test(names);
}

/** The part of Blogger's pages that holds the post is a widget like those around it. */
const POSTS = /\bwidget Blog\b/;
const MAX_H1 = 3;

/** Of several articles only the one with the title is the page, and none when the title stands elsewhere. */
export function mainArticleTest({ h1, marked }: PageFacts): (element: PageElement) => boolean {
  const dated = [...marked.dated.time, ...marked.dated.named, ...marked.dated.property]
    .map(articleOf)
    .filter((article) => article !== undefined);
  if (new Set(dated).size <= 1) return () => true;
  const main = h1
    .slice(0, MAX_H1)
    .map(articleOf)
    .find((article) => article !== undefined);
  return (element) => {
    const own = articleOf(element);
    return own === undefined || own === main;
  };
}

export function isInText(element: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) {
    if (at.name === 'header' || at.name === 'article' || at.name === 'main') return true;
  }
  return false;
}

const OF_OTHERS = /(?:^|[\s_-])(?:comments?|related|recommended|recent|popular|latest|teasers?|cards?)(?:$|[\s_-])/i;

/** True of elements in the frame of the page and in lists of others, by any word for them. */
export function isOfOthers(element: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) {
    if (at.name === 'footer' || at.name === 'nav') return true;
    if (OF_OTHERS.test(`${at.attributes['class'] ?? ''} ${at.attributes['id'] ?? ''}`)) return true;
  }
  return false;
}

const HEADING_CHARS = 200;

/** Elements that share the innermost element with the title first, the others by the same measure; else in their order. */
export function closestFirst({
  facts,
  blocks,
  title,
}: DateSource): (elements: readonly PageElement[]) => readonly PageElement[] {
  const heading =
    facts.h1.find((element) => withoutPermalink(headingText(element, HEADING_CHARS)) === title) ??
    blocks.find(({ text }) => text === title)?.element;
  const around: PageElement[] = [];
  for (let at = heading; at !== undefined; at = at.parent) around.push(at);
  const distances = new Map(around.map((element, distance) => [element, distance]));
  const distanceOf = (element: PageElement) => {
    let at: PageElement | undefined = element;
    while (at !== undefined && !distances.has(at)) at = at.parent;
    return at === undefined ? around.length : (distances.get(at) ?? 0);
  };
  return (elements) => {
    if (heading === undefined || elements.length < 2) return elements;
    const measured = elements.map((element) => ({ element, distance: distanceOf(element) }));
    return measured.sort((a, b) => a.distance - b.distance).map(({ element }) => element);
  };
}

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
