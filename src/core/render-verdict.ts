/** Whether pages of a URL pattern need a browser (crawling 19); kept as JSON with the pattern. */
export type RenderVerdict = {
  readonly verdict: 'unknown' | 'http' | 'browser';
  /** The page whose rendering will tell, while nothing is known. */
  readonly claim: { readonly urlId: number; readonly at: number } | undefined;
  /** `http`: pages that asked for a browser since one was rendered to see whether that is still right. */
  readonly passed: number;
  /** Pages in a row of which a browser saw hardly more than their HTTP extraction. */
  readonly equal: number;
  /** Finished pairs of extractions so far. */
  readonly pairs: number;
};

/** What an extraction brought: words chosen, links inside of the scope. */
export type PageYield = { readonly words: number; readonly links: number };

/**
 * What a visit says about its pattern: `passed` asked for a browser and did not get one · `sampled` gets one all the
 * same · `given-up` has no result · `pair` has both extractions, finished.
 */
export type RenderObservation =
  | { readonly kind: 'claimed'; readonly urlId: number; readonly at: number }
  | { readonly kind: 'passed' }
  | { readonly kind: 'sampled' }
  | { readonly kind: 'given-up'; readonly urlId: number }
  | { readonly kind: 'pair'; readonly http: PageYield; readonly rendered: PageYield };

export const UNKNOWN_VERDICT: RenderVerdict = { verdict: 'unknown', claim: undefined, passed: 0, equal: 0, pairs: 0 };

/** A claim that brought nothing for so long is another page's to take. */
export const CLAIM_MS = 60_000;

export function parseRenderVerdict(json: string | undefined): RenderVerdict {
  return json === undefined ? UNKNOWN_VERDICT : { ...UNKNOWN_VERDICT, ...(JSON.parse(json) as Partial<RenderVerdict>) };
}

export function addRenderObservation(known: RenderVerdict, observation: RenderObservation): RenderVerdict {
  switch (observation.kind) {
    case 'claimed':
      return isClaimed(known, observation.at)
        ? known
        : { ...known, claim: { urlId: observation.urlId, at: observation.at } };
    case 'passed':
      return { ...known, passed: known.passed + 1 };
    case 'sampled':
      return { ...known, passed: 0 };
    case 'given-up':
      return known.claim?.urlId === observation.urlId ? { ...known, claim: undefined } : known;
    case 'pair':
      return afterPair(known, observation, EQUAL_PAIRS);
  }
}

/** What the same lesson says of all patterns of its family; none but a finished pair does. */
export function addTemplateRenderObservation(known: RenderVerdict, observation: RenderObservation): RenderVerdict {
  return observation.kind === 'pair' ? afterPair(known, observation, FAMILY_EQUAL_PAIRS) : known;
}

export function isClaimed({ verdict, claim }: RenderVerdict, at: number): boolean {
  return verdict === 'unknown' && claim !== undefined && at - claim.at < CLAIM_MS;
}

/** Renders in a row that brought hardly anything, until a pattern is read over HTTP. */
const EQUAL_PAIRS = 3;
/** … and until its family is: three patterns that each would be. */
const FAMILY_EQUAL_PAIRS = 9;
const NEARLY_ALL = 0.95;

function afterPair(
  known: RenderVerdict,
  { http, rendered }: Extract<RenderObservation, { kind: 'pair' }>,
  equalPairs: number,
): RenderVerdict {
  // A render without text may have come too early, or have failed: it says nothing of other pages.
  if (rendered.words === 0) return { ...known, claim: undefined };
  const told = { ...known, claim: undefined, passed: 0, pairs: known.pairs + 1 };
  if (isGain(http, rendered)) return { ...told, equal: 0, verdict: 'browser' };
  const hadNearlyAll = http.words >= rendered.words * NEARLY_ALL;
  const equal = hadNearlyAll || known.verdict !== 'browser' ? known.equal + 1 : 0;
  return equal >= equalPairs ? { ...told, equal: 0, verdict: 'http' } : { ...told, equal };
}

const GAIN_WORDS = 50;
const GAIN_RATIO = 1.3;
const GAIN_LINKS = 5;

function isGain(http: PageYield, rendered: PageYield): boolean {
  const words = rendered.words - http.words;
  const isMuch = words >= GAIN_WORDS || (words > 0 && rendered.words >= http.words * GAIN_RATIO);
  return isMuch || rendered.links - http.links >= GAIN_LINKS;
}
