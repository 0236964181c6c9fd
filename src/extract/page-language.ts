import { detectLanguage } from '../text/language.ts';
import type { ExtractedLanguage } from './extraction.ts';

/** Letters from which a text tells its language better than the page's own statement. */
const MIN_LETTERS = 60;
const SAMPLE_CHARS = 5_000;

/** Codes of older or wider standards → ISO 639-1 as the analyzers know it. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
  ['iw', 'he'],
  ['in', 'id'],
]);

/** The operator's setting, else the text, else, for short texts, what the page declares (first valid one). */
export function languageOf(
  text: string,
  { fixed, declared }: { readonly fixed: string | undefined; readonly declared: readonly (string | undefined)[] },
): ExtractedLanguage | undefined {
  if (fixed !== undefined) return { code: fixed, from: 'settings' };
  const sample = text.slice(0, SAMPLE_CHARS);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const detected = letters >= MIN_LETTERS ? detectLanguage(sample) : undefined;
  if (detected !== undefined) return { code: folded(detected), from: 'text' };
  for (const tag of declared) {
    const code = /^\s*([a-z]{2})(?:[-_]|\s*$|,)/i.exec(tag ?? '')?.[1];
    if (code !== undefined) return { code: folded(code), from: 'declared' };
  }
  return undefined;
}

function folded(code: string): string {
  const lower = code.toLowerCase();
  return SAME.get(lower) ?? lower;
}
