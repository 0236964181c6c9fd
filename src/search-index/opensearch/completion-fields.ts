import type { StoredDocument } from '../../core/document.ts';
import { isStopWord } from '../../text/stop-words.ts';
import {
  COMPLETED_FIELDS,
  completedText,
  displayOf,
  MAX_PHRASE_BYTES,
  type PhraseWord,
  phraseWords,
} from '../completions.ts';
import type { Json } from './connection.ts';
import { PART } from './index-layout.ts';

/** How a completion is shown: whole titles and headings before words of them, titles before headings. */
export type CompletionForm = {
  /** Folded words with one blank between them. */
  readonly key: string;
  readonly isWhole: boolean;
  readonly isTitle: boolean;
  readonly text: string;
};

/** Titles and headings of a document as `phrases` and `completions` of the index: each completion in one form. */
export function completionFields(document: StoredDocument): Json {
  const phrases: string[] = [];
  const forms = new Map<string, CompletionForm>();
  for (const field of COMPLETED_FIELDS) {
    for (const value of document.fields.get(field) ?? []) {
      if (Buffer.byteLength(value) > MAX_PHRASE_BYTES) continue;
      const text = completedText(value);
      const words = phraseWords(text);
      phrases.push(words.map(({ folded }) => folded).join(' '));
      for (const form of formsOf({ text, words, isTitle: field === 'Title', language: document.language })) {
        const known = forms.get(form.key);
        if (known === undefined || isShownBefore(form, known)) forms.set(form.key, form);
      }
    }
  }
  return { phrases, completions: [...forms.values()].map(printForm) };
}

type Phrase = {
  readonly text: string;
  readonly words: readonly PhraseWord[];
  readonly isTitle: boolean;
  readonly language: string;
};

/** The whole phrase, and its words that are no stop words. */
function formsOf({ text, words, isTitle, language }: Phrase): readonly CompletionForm[] {
  if (words.length === 0) return [];
  const key = words.map(({ folded }) => folded).join(' ');
  const whole = { key, isWhole: true, isTitle, text: displayOf(text, 'whole') };
  if (words.length === 1) return [whole];
  const content = words.filter(({ surface }) => !isStopWord(surface, language));
  return [
    whole,
    ...content.map(({ folded, start, end }) => ({
      key: folded,
      isWhole: false,
      isTitle,
      text: text.slice(start, end),
    })),
  ];
}

/** Whole phrases, then titles, then the greater text. */
export function isShownBefore(a: CompletionForm, b: CompletionForm): boolean {
  if (a.isWhole !== b.isWhole) return a.isWhole;
  return a.isTitle === b.isTitle ? a.text > b.text : a.isTitle;
}

function printForm({ key, isWhole, isTitle, text }: CompletionForm): string {
  return [key, `${Number(isWhole)}${Number(isTitle)}`, text].join(PART);
}

export function parseForm(printed: string): CompletionForm {
  const [key = '', flags = '', text = ''] = printed.split(PART);
  return { key, isWhole: flags.startsWith('1'), isTitle: flags.endsWith('1'), text };
}
