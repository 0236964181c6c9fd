import type { FileExtraction } from '../extraction.ts';

/** Properties of the `\info` group. */
export type RtfInfo = {
  /** `depth` is that of the group, so that its end is known. */
  readonly control: (word: string, value: number | undefined, depth: number) => void;
  readonly add: (text: string) => void;
  readonly close: (depth: number) => void;
  readonly result: () => Pick<FileExtraction, 'properties' | 'pageCount'>;
};

const TEXTS = new Set(['title', 'author', 'subject', 'keywords']);
const TIMES = new Set(['creatim', 'revtim']);
const UNITS = new Set(['yr', 'mo', 'dy', 'hr', 'min']);
const MAX_CHARS = 4_000;

export function createRtfInfo(): RtfInfo {
  const texts = new Map<string, string>();
  const times = new Map<string, Map<string, number>>();
  let open: { readonly name: string; readonly depth: number } | undefined;
  let pageCount: number | undefined;
  return {
    control(word, value, depth) {
      if (word === 'nofpages' && value !== undefined && value > 0) pageCount = value;
      // Files that say it twice do so in two encodings.
      if (TEXTS.has(word)) texts.delete(word);
      if (TEXTS.has(word) || TIMES.has(word)) open = { name: word, depth };
      if (!UNITS.has(word) || open === undefined || value === undefined) return;
      times.set(open.name, (times.get(open.name) ?? new Map()).set(word, value));
    },
    add(text) {
      if (open === undefined || !TEXTS.has(open.name)) return;
      texts.set(open.name, `${texts.get(open.name) ?? ''}${text}`.slice(0, MAX_CHARS));
    },
    close(depth) {
      if (open !== undefined && depth <= open.depth) open = undefined;
    },
    result: () => ({
      pageCount,
      properties: {
        title: textOf(texts.get('title')),
        author: textOf(texts.get('author')),
        subject: textOf(texts.get('subject')),
        keywords: textOf(texts.get('keywords')),
        created: dateOf(times.get('creatim')),
        modified: dateOf(times.get('revtim')),
      },
    }),
  };
}

function textOf(text: string | undefined): string | undefined {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? undefined : trimmed;
}

/** Local time, no zone is stated. */
function dateOf(time: ReadonlyMap<string, number> | undefined): string | undefined {
  const [year = 0, month = 1, day = 1] = ['yr', 'mo', 'dy'].map((unit) => time?.get(unit));
  if (year < 1980 || year > 9999) return undefined;
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${year}-${two(month)}-${two(day)}`;
  return time?.has('hr') === true ? `${date}T${two(time.get('hr') ?? 0)}:${two(time.get('min') ?? 0)}` : date;
}
