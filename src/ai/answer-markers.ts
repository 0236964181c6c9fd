/** Text of a segment without its markers, and what they name. */
export type MarkedText = {
  readonly text: string;
  /** Numbers of sources, each once, in order; those of no source are left out. */
  readonly references: readonly number[];
  /** `[n|"exact words"]`: what the writer read in a source of another language. */
  readonly grounding: readonly { readonly reference: number; readonly words: string }[];
};

const BACKTICKS = /`+/g;
const BRACKETED =
  /\[{1,2}\^?(?:source |sources |ref\.? |quelle |kilde )?(\d{1,4}(?:\s{0,2}[,;–-]\s{0,2}\d{1,4}){0,9})(?:\s{0,2}\|([^\n\]]{0,240}))?\]{1,2}(?:\([^)\n]{0,400}\))?/gi;
const LENTICULAR = /【\s{0,3}(\d{1,4})[^】\n]{0,60}】/g;
const MAX_RANGE = 8;

/**
 * Takes markers of any spelling out of prose: `[1]`, `[1, 2]`, `[1-3]`, `[[1]]`, `[^1]`, `[Source 1]`, `[1](…)`,
 * `【1†x】`, `[1|"words"]`. In code spans digits in brackets are code, and get blanks so that nobody reads them as
 * markers.
 */
export function readMarkers(segment: string, sourceCount: number): MarkedText {
  const references = new Set<number>();
  const grounding: { reference: number; words: string }[] = [];
  const note = (list: string, words: string | undefined): string => {
    for (const reference of referencesOf(list)) {
      if (reference < 1 || reference > sourceCount) continue;
      references.add(reference);
      if (words !== undefined) grounding.push({ reference, words });
    }
    return '';
  };
  const prose = (text: string) =>
    text
      .replace(LENTICULAR, (_, list: string) => note(list, undefined))
      .replace(BRACKETED, (_, list: string, words?: string) => note(list, words));
  const text = mapOutsideCode(segment, prose, spaceDigits).replace(/[ \t]+(?=[.,;:!?])(?![.,;:!?]\w)/g, '');
  return { text, references: [...references], grounding };
}

/** Digits in brackets inside code: `a[0]` becomes `a[ 0 ]`. Idempotent. */
export function spaceDigits(code: string): string {
  return code.replace(/\[(\d{1,15})\]/g, '[ $1 ]');
}

/**
 * Changes what stands outside of code spans in one way and these in another. A span is closed by as many backticks as
 * opened it (CommonMark 6.1); backticks without a partner go, so that they open no span in what follows.
 */
export function mapOutsideCode(text: string, prose: (text: string) => string, code: (text: string) => string): string {
  const runs = [...text.matchAll(BACKTICKS)];
  let result = '';
  let end = 0;
  for (const [i, run] of runs.entries()) {
    if (run.index < end || text[run.index - 1] === '\\') continue;
    const close = runs.slice(i + 1).find((other) => other[0].length === run[0].length);
    if (close === undefined) continue;
    result += prose(text.slice(end, run.index).replace(STRAY_BACKTICKS, ''));
    end = close.index + close[0].length;
    result += code(text.slice(run.index, end));
  }
  return result + prose(text.slice(end).replace(STRAY_BACKTICKS, ''));
}

const STRAY_BACKTICKS = /\\?`+/g;

function referencesOf(list: string): readonly number[] {
  return list.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–-]/).map(Number);
    const length = Math.min(Math.max(1, last - first + 1), MAX_RANGE);
    return Array.from({ length }, (_, i) => first + i);
  });
}
