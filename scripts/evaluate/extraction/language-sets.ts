import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type Extraction, type SourceHeaders } from '../../../src/extract/extraction.ts';
import { languageCode, readLanguageTables } from '../../../src/text/language.ts';
import { mean } from '../ranking-measures.ts';
import { wordScore } from '../text-metrics.ts';
import { encoderOf } from './encode-text.ts';
import type { Row, SetReport } from './set-report.ts';

export const LANGUAGE_RECORD = z.object({ language: z.string(), sentences: z.array(z.string()) });
export type LanguageRecord = z.infer<typeof LANGUAGE_RECORD>;

const never = new AbortController().signal;
const noFiles = () => Promise.reject(new Error('a page is no file'));
const SENTENCES_PER_PAGE = 4;

/** Languages of pages with one and with four sentences; what `lang` says is right, missing or wrong. */
export async function scoreLanguages(records: readonly LanguageRecord[]): Promise<SetReport> {
  const known = detectorLanguages();
  const kinds = [
    { name: '1 sentence', size: 1, declaredOf: () => undefined },
    { name: '4 sentences', size: SENTENCES_PER_PAGE, declaredOf: () => undefined },
    { name: '4, lang right', size: SENTENCES_PER_PAGE, declaredOf: (language: string) => language },
    { name: '4, lang wrong', size: SENTENCES_PER_PAGE, declaredOf: wrongLanguage },
  ];
  const rows: Row[] = [];
  for (const { name, size, declaredOf } of kinds) {
    const shares = new Map<string, readonly boolean[]>();
    for (const { language, sentences } of records) {
      shares.set(language, await judgePages({ language, sentences, size, declared: declaredOf(language) }));
    }
    const inDetector = [...shares].filter(([language]) => known.has(language));
    rows.push(languageRow(`${name}, known`, inDetector), languageRow(`${name}, all`, [...shares]));
  }
  const note = `known: the ${known.size} languages of the detector; mean over languages; no part was trained on them`;
  return { set: 'language', note, rows };
}

/** As the product's codes write them. */
function detectorLanguages(): ReadonlySet<string> {
  const path = fileURLToPath(new URL('../ngrams/small.js', import.meta.resolve('eld/small')));
  const { languages } = readLanguageTables(readFileSync(path, 'utf8'));
  return new Set(Object.values(languages).map((code) => languageCode(code) ?? code));
}

function wrongLanguage(language: string): string {
  return language === 'en' ? 'de' : 'en';
}

type LanguagePages = LanguageRecord & { readonly size: number; readonly declared: string | undefined };

async function judgePages({ language, sentences, size, declared }: LanguagePages): Promise<readonly boolean[]> {
  const wanted = languageCode(language) ?? language;
  const judged: boolean[] = [];
  for (let at = 0; at + size <= sentences.length; at += size) {
    const html = pageOf(sentences.slice(at, at + size), { lang: declared, head: '' });
    const { language: found } = await extractPage(Buffer.from(html));
    judged.push(found?.code === wanted);
  }
  return judged;
}

function languageRow(name: string, shares: readonly (readonly [string, readonly boolean[]])[]): Row {
  const right = shares.map(([, judged]) => mean(judged.map(Number)));
  const count = shares.reduce((sum, [, judged]) => sum + judged.length, 0);
  return { name, count, figures: { right: mean(right) } };
}

/** Charsets usual for pages of a language. */
const CHARSETS: Readonly<Record<string, readonly string[]>> = {
  de: ['windows-1252'],
  fr: ['windows-1252'],
  da: ['windows-1252'],
  es: ['windows-1252'],
  pl: ['windows-1250', 'iso-8859-2'],
  cs: ['windows-1250'],
  hu: ['windows-1250'],
  ru: ['windows-1251', 'koi8-r'],
  bg: ['windows-1251'],
  el: ['windows-1253'],
  tr: ['windows-1254'],
  he: ['windows-1255'],
  ar: ['windows-1256'],
  lt: ['windows-1257'],
  th: ['windows-874'],
  ja: ['shift_jis', 'euc-jp'],
  zh: ['gb18030', 'big5'],
  ko: ['euc-kr'],
};
const UNICODE = ['utf-8', 'utf-16', 'utf-16le', 'utf-16be'];
const HINTS = ['none', 'meta', 'http-equiv', 'header', 'lying meta', 'lying header'] as const;
type Hint = (typeof HINTS)[number];

const PAGES_PER_CHARSET = 10;
const SENTENCES_PER_CHARSET_PAGE = 20;
/** From this share of its words on a page counts as read in the right charset. */
const MIN_WORD_RECALL = 0.98;

/** Pages in the charsets usual for their language, with a true, a false and no word about it. */
export async function scoreCharsets(records: readonly LanguageRecord[]): Promise<SetReport> {
  const judged: { readonly hint: Hint; readonly isUnicode: boolean; readonly isRight: boolean }[] = [];
  for (const { language, sentences } of records) {
    for (const charset of [...(CHARSETS[language] ?? []), ...(language in CHARSETS ? UNICODE : [])]) {
      const encode = encoderOf(charset);
      for (const page of samplePages(sentences)) {
        for (const hint of HINTS) {
          const isRight = await isReadRight({ page, charset, hint, encode, language });
          judged.push({ hint, isUnicode: UNICODE.includes(charset), isRight });
        }
      }
    }
  }
  const row = (name: string, own: typeof judged) => ({
    name,
    count: own.length,
    figures: { right: mean(own.map(({ isRight }) => Number(isRight))) },
  });
  const rows = HINTS.flatMap((hint) => {
    const own = judged.filter((page) => page.hint === hint);
    return [
      row(
        `${hint}, unicode`,
        own.filter(({ isUnicode }) => isUnicode),
      ),
      row(
        `${hint}, other`,
        own.filter(({ isUnicode }) => !isUnicode),
      ),
    ];
  });
  return {
    set: 'charset',
    note: 'a hint that lies says UTF-8, or windows-1252 of UTF-8',
    rows: [...rows, row('all', judged)],
  };
}

function samplePages(sentences: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: PAGES_PER_CHARSET }, (_, index) =>
    sentences.slice(index * SENTENCES_PER_CHARSET_PAGE, (index + 1) * SENTENCES_PER_CHARSET_PAGE),
  ).filter((page) => page.length > 0);
}

type CharsetPage = {
  readonly page: readonly string[];
  readonly charset: string;
  readonly hint: Hint;
  readonly encode: (text: string) => Uint8Array;
  readonly language: string;
};

async function isReadRight({ page, charset, hint, encode, language }: CharsetPage): Promise<boolean> {
  const lie = charset === 'utf-8' ? 'windows-1252' : 'utf-8';
  const said = hint.startsWith('lying') ? lie : charset;
  const head = hint === 'http-equiv' ? httpEquiv(said) : hint.endsWith('meta') ? `<meta charset="${said}">` : '';
  const contentType = hint.endsWith('header') ? `text/html; charset=${said}` : 'text/html';
  const body = encode(pageOf(page, { lang: language, head }));
  const { fields } = await extractPage(body, { contentType });
  return wordScore(fields.get('Content')?.[0] ?? '', page.join('\n')).recall >= MIN_WORD_RECALL;
}

function httpEquiv(charset: string): string {
  return `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`;
}

type PageHead = { readonly lang: string | undefined; readonly head: string };

function pageOf(sentences: readonly string[], { lang, head }: PageHead): string {
  const escaped = sentences.map((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
  const html = lang === undefined ? '<html>' : `<html lang="${lang}">`;
  const body = escaped.map((text) => `<p>${text}</p>`).join('\n');
  return `<!doctype html>\n${html}<head>${head}<title>1</title></head>\n<body><main>\n${body}\n</main></body></html>\n`;
}

function extractPage(body: Uint8Array, headers: SourceHeaders = { contentType: 'text/html' }): Promise<Extraction> {
  const input = { url: 'https://page.example/1', body, headers, settings: DEFAULT_EXTRACT_SETTINGS, now: 0 };
  return extract({ parseFile: noFiles }, input, never);
}
