import { directionOf } from '../../src/core/interface-languages.ts';
import type { Catalogue, MessageKey } from './catalogues.ts';
import { fillMessage, type Message } from './message.ts';

type Values = Readonly<Record<string, string | number>>;

/** The interface in one language: its texts, and how it writes numbers, dates and names of languages. */
export type Language = {
  /** BCP 47. */
  readonly code: string;
  readonly direction: 'ltr' | 'rtl';
  /** A text; numbers among its values are written as the language writes them, and `count` chooses the plural form. */
  readonly text: (key: MessageKey, values?: Values) => string;
  /** A text with elements among its values. */
  readonly nodes: <Node>(key: MessageKey, values: Readonly<Record<string, Node>>) => (string | Node)[];
  readonly number: (value: number) => string;
  /** A day, such as 3 May 2026, in UTC. */
  readonly date: (value: Date) => string;
  /** The name of a language by its code; the code itself when it has none. */
  readonly languageName: (code: string) => string;
};

export function createLanguage(code: string, catalogue: Catalogue): Language {
  const numbers = new Intl.NumberFormat(code);
  const plurals = new Intl.PluralRules(code);
  const dates = new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeZone: 'UTC' });
  const names = new Intl.DisplayNames([code], { type: 'language', fallback: 'code' });
  const direction = directionOf(code);
  const form = (key: MessageKey, count: unknown): string => {
    const text = formOf(catalogue[key], typeof count === 'number' ? plurals.select(count) : 'other');
    return direction === 'rtl' ? isolateValues(text) : text;
  };
  return {
    code,
    direction,
    text: (key, values = {}) => {
      const written = Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'number' ? numbers.format(value) : value,
      ]);
      return fillMessage<string>(form(key, values['count']), Object.fromEntries(written)).join('');
    },
    nodes: (key, values) => fillMessage(form(key, undefined), values),
    number: (value) => numbers.format(value),
    date: (value) => dates.format(value),
    languageName: (other) => (/^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(other) ? (names.of(other) ?? other) : other),
  };
}

function formOf(message: Message, category: Intl.LDMLPluralRule): string {
  return typeof message === 'string' ? message : (message[category] ?? message.other);
}

/** Each value keeps its own direction, so that `C++` stays whole in Hebrew: FSI and PDI (Unicode TR 9, 2.4). */
function isolateValues(text: string): string {
  return text.replaceAll(/\{\w+\}/g, '\u2068$&\u2069');
}
