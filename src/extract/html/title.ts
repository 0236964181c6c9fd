import { isHomeName, isHomeUrl } from './breadcrumbs.ts';
import { type TitleCandidate, type TitleFeature, type TitleInputs, titleCandidates } from './title-candidates.ts';
import { TITLE_WEIGHTS } from './title-weights.ts';

export type PickedTitle = { readonly text: string; readonly source: string };

export type TitleSource = TitleInputs & {
  /** First heading of the main text. */
  readonly firstHeading: string;
  /** Name of the site, wherever the page says it. */
  readonly site: PickedTitle;
};

/**
 * The page's own heading or the head's title without the site, whichever has more to speak for it; else the first
 * heading of the text, else the name in the URL. `''` when the page names nothing. Weights: `scripts/train/titles.ts`.
 */
export function pickTitle(source: TitleSource): PickedTitle {
  const candidates = titleCandidates(source);
  const best = bestCandidate(candidates);
  if (best !== undefined) return isHomeName(best.text) && isHomeUrl(source.url) ? homeTitle(source, candidates) : best;
  const rest = [
    { text: source.firstHeading, source: 'heading' },
    { text: nameInPath(source.url), source: 'url' },
  ];
  return rest.find(({ text }) => text !== '') ?? { text: '', source: 'none' };
}

/** "Home" names the home page of any site: the site's name does of this one, else what else the page is called. */
function homeTitle({ site }: TitleSource, candidates: readonly TitleCandidate[]): PickedTitle {
  if (site.text !== '') return site;
  const other = bestCandidate(candidates.filter(({ text }) => !isHomeName(text)));
  return other ?? candidates[0] ?? site;
}

function bestCandidate(candidates: readonly TitleCandidate[]): TitleCandidate | undefined {
  const scored = candidates.map((candidate) => ({ candidate, score: scoreOf(candidate) }));
  return scored.reduce<(typeof scored)[number] | undefined>(
    (best, entry) => (best === undefined || entry.score > best.score ? entry : best),
    undefined,
  )?.candidate;
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
