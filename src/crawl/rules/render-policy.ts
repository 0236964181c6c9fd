import { CLAIM_MS, isClaimed, type RenderObservation, type RenderVerdict } from '../../core/render-verdict.ts';

/** The pattern's pages that asked for a browser in vain, of which one is rendered to heal a wrong verdict. */
const SAMPLE_EVERY = 50;
/** A first verdict, of three pairs, is looked at sooner: before the pattern could be closed for bringing nothing. */
const FIRST_SAMPLE = 10;
const FIRST_PAIRS = 3;

export type RenderQuestion = {
  readonly setting: 'auto' | 'never' | 'always';
  /** Chromium is there. */
  readonly canRender: boolean;
  /** Why a browser would see more. */
  readonly signal: string | undefined;
  readonly verdict: RenderVerdict;
  readonly urlId: number;
  readonly now: number;
  /** A visit of the pattern that is not recorded yet has claimed or sampled. */
  readonly isReserved: boolean;
};

/**
 * `http`: what was fetched is the page · `thin`: it is not all, and there is no browser · `browser`: the row goes on to
 * the browser's stage.
 */
export type RenderChoice = {
  readonly by: 'http' | 'thin' | 'browser';
  readonly why: RenderCause | undefined;
  readonly observation: RenderObservation | undefined;
};

/** Why a page is in the browser's stage; kept with its row. */
export const RENDER_CAUSES = ['always', 'verdict', 'first', 'sample', 'again'] as const;
export type RenderCause = (typeof RENDER_CAUSES)[number];

const HTTP: RenderChoice = { by: 'http', why: undefined, observation: undefined };
const THIN: RenderChoice = { by: 'thin', why: undefined, observation: undefined };

/** Of a page that was read over HTTP: is that all there is? (crawling 19) */
export function renderChoiceOfPage(request: RenderQuestion): RenderChoice {
  const { setting, canRender, signal, verdict, urlId, now, isReserved } = request;
  if (setting === 'never' || !canRender) return signal === undefined ? HTTP : THIN;
  if (setting === 'always') return { by: 'browser', why: 'always', observation: undefined };
  if (signal === undefined) return HTTP;
  if (verdict.verdict === 'browser') return { by: 'browser', why: 'verdict', observation: undefined };
  if (verdict.verdict === 'unknown') {
    const isFirst = !isReserved && !isClaimed(verdict, now);
    return { by: 'browser', why: 'first', observation: isFirst ? { kind: 'claimed', urlId, at: now } : undefined };
  }
  const every = verdict.pairs <= FIRST_PAIRS ? FIRST_SAMPLE : SAMPLE_EVERY;
  const isSample = !isReserved && verdict.passed + 1 >= every;
  if (isSample) return { by: 'browser', why: 'sample', observation: { kind: 'sampled' } };
  return { by: 'http', why: undefined, observation: { kind: 'passed' } };
}

/** What a row of the browser's stage does now: `wait` for the page that will tell, `http` means back to HTTP. */
export type RenderAttempt =
  | { readonly kind: 'render' }
  | { readonly kind: 'http' }
  | { readonly kind: 'wait'; readonly untilAt: number };

export function attemptOfRow(request: {
  readonly setting: RenderQuestion['setting'];
  readonly why: RenderCause;
  readonly verdict: RenderVerdict;
  readonly urlId: number;
  readonly now: number;
}): RenderAttempt {
  const { setting, why, verdict, urlId, now } = request;
  if (setting === 'never') return { kind: 'http' };
  if (setting === 'always' || why === 'sample' || why === 'again') return { kind: 'render' };
  if (verdict.verdict === 'http') return { kind: 'http' };
  const claim = isClaimed(verdict, now) ? verdict.claim : undefined;
  return claim === undefined || claim.urlId === urlId
    ? { kind: 'render' }
    : { kind: 'wait', untilAt: claim.at + CLAIM_MS };
}

const DAY_MS = 86_400_000;

/** A page whose HTML has not changed is rendered again now and then: what its scripts fetch may have. */
export function isRenderDue(renderedAt: number | undefined, maxDays: number, now: number): boolean {
  return renderedAt !== undefined && now - renderedAt >= (maxDays * DAY_MS) / 4;
}

/** Characters of scripts without spaces between words that count as one word. */
const CHARS_PER_WORD = 2;

export function countWords(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) + Math.floor(dense / CHARS_PER_WORD);
}
