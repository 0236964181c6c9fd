import { isHomeName, isHomeUrl } from '../fields/breadcrumbs.ts';
import { isSame, type NamedPage, type OwnTitle, ownTitle, type PickedTitle, withoutNumber } from './own-title.ts';
import { type SiteTexts, UNKNOWN_SITE } from './site-texts.ts';
import {
  mainHeadings,
  type TitleCandidate,
  type TitleFeature,
  type TitleInputs,
  titleCandidates,
} from './title-candidates.ts';
import { TITLE_WEIGHTS } from './title-weights.ts';

export type TitleSource = TitleInputs & {
  /** First heading of the main text. */
  readonly firstHeading: string;
  /** Name of the site, wherever the page says it. */
  readonly site: PickedTitle;
};

export type PageTitle = PickedTitle & {
  /** What the head says in place of it: the part that is the page's own, else all of it; `''` when it says the same. */
  readonly headTitle: string;
  /** What more pages of the site are called would not change it. */
  readonly isSettled: boolean;
};

/**
 * The page's own heading or the head's title without the site, whichever has more to speak for it, and of which no other
 * page of the site is called; else the first heading of the text, else the name in the URL. `''` when the page names
 * nothing. Weights: `scripts/train/titles.ts`.
 */
export function pickTitle(source: TitleSource, site: SiteTexts = UNKNOWN_SITE): PageTitle {
  const candidates = byScore(titleCandidates(source, site));
  const rest = [
    { text: source.firstHeading, source: 'heading' },
    { text: nameInPath(source.url), source: 'url' },
  ];
  const texts = [...candidates, ...rest].filter(({ text }) => text !== '');
  const [picked = { text: '', source: 'none' }, ...others] = texts;
  if (isHomeUrl(source.url)) return { ...homeTitle(picked, others, source), headTitle: '', isSettled: true };
  const main = mainHeadings(source).map(({ text }) => text);
  const headings = [...main, ...source.headings];
  const page = { picked, heads: headsOf(source), others, mainHeadings: main, headings };
  const { head, isSettled, ...title } = site.pages === 0 ? alone(page) : ownTitle(page, site);
  const said = texts.map(({ text }) => text);
  const text = withoutNumber(title.text, said, site);
  return { ...title, text, headTitle: headTitleOf(text, head), isSettled };
}

/** Of a page whose site is not known. */
function alone({ picked, heads }: NamedPage): OwnTitle {
  const head = heads.find(({ text }) => text !== '');
  return { ...picked, head: head && { text: head.text, whole: head.text }, isSettled: false };
}

function headTitleOf(title: string, head: OwnTitle['head']): string {
  return [head?.text, head?.whole].find((text) => text !== undefined && !isSame(text, title)) ?? '';
}

function headsOf({ title, ogTitle }: TitleSource): readonly PickedTitle[] {
  return [
    { text: title, source: 'title' },
    { text: ogTitle, source: 'og:title' },
  ];
}

/** "Home" names the home page of any site: the site's name does of this one, else what else the page is called. */
function homeTitle(picked: PickedTitle, others: readonly PickedTitle[], { site }: TitleSource): PickedTitle {
  if (!isHomeName(picked.text)) return picked;
  if (site.text !== '') return site;
  return others.find(({ text }) => !text.split(/\s+/).some(isHomeName)) ?? picked;
}

/** The likeliest first, and of equals the first. */
function byScore(candidates: readonly TitleCandidate[]): readonly TitleCandidate[] {
  return candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .sort((a, b) => b.score - a.score)
    .map(({ candidate }) => candidate);
}

function scoreOf({ features }: TitleCandidate): number {
  return Object.entries(features).reduce((sum, [name, value]) => sum + TITLE_WEIGHTS[name as TitleFeature] * value, 0);
}

function nameInPath(url: string): string {
  const segment = (URL.parse(url)?.pathname ?? '').split('/').findLast((part) => part !== '') ?? '';
  return unescapeSegment(segment)
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[-_+]+/g, ' ')
    .trim();
}

function unescapeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
