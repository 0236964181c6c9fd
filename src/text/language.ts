import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type LanguageTables, readLanguageTables } from './language-tables.ts';

/** 96 % of texts of this length are told right (search-engine design 5). */
const MIN_CHARS = 60;
const READ_CHARS = 400;

type Detector = { detect(text: string): { readonly language: string } };
type DetectorModule = {
  createEld(): { readonly instance: Detector; loadData(tables: LanguageTables): void };
};

const require = createRequire(import.meta.url);
let detector: Detector | undefined;

/** Language of a text (ISO 639-1) by its first 400 characters; undefined when it has fewer than 60 or fits none. */
export function detectLanguage(text: string): string | undefined {
  if (text.length < MIN_CHARS) return undefined;
  detector ??= openDetector();
  const { language } = detector.detect(text.slice(0, READ_CHARS));
  return language === '' ? undefined : language;
}

/** Its parts by their paths: the package names no entry for `require`, nor one without its tables as a module. */
function openDetector(): Detector {
  const part = (path: string) => fileURLToPath(new URL(path, import.meta.resolve('eld/small')));
  const { createEld } = require(part('../languageDetector.js')) as DetectorModule;
  const { instance, loadData } = createEld();
  loadData(readLanguageTables(readFileSync(part('../ngrams/small.js'), 'utf8')));
  return instance;
}
