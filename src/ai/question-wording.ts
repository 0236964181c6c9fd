import type { QuestionTerm } from '../search/retrieved-passages.ts';
import { foldWord } from '../text/folding.ts';
import { stemWord } from '../text/stemming.ts';
import type { AnalysedQuestion } from './analysed-question.ts';
import { writtenWords } from './question.ts';
import { askedKind, plainQuestion, questionType } from './question-types.ts';
import { negationOf } from './support/negation-words.ts';
import { WORDING_TABLES, type WordingTable } from './wording-tables.ts';

/** Stands for every word that denies. */
const DENIAL = '¬';

type Table = {
  readonly phrases: readonly (readonly [RegExp, string])[];
  readonly empty: ReadonlySet<string>;
  readonly asked: ReadonlyMap<string, ReadonlySet<string>>;
  readonly ways: ReadonlySet<string>;
  readonly modes: readonly (readonly [string, RegExp])[];
};

/**
 * What a question asks, the same for questions that ask it in other words and different for all others: what it wants,
 * and the stems of its words but those known to say nothing, with one form for synonyms. Every other word counts, so
 * that a number, a name, a negation or a direction makes another question. In languages without a table all words, in
 * their order.
 */
export function questionWording(question: AnalysedQuestion, terms: readonly QuestionTerm[]): string {
  const { language } = question;
  const table = tableOf(language);
  const synonyms = new Map(terms.map((term) => [term.text, term]));
  const formOf = (word: string) => leastForm(word, synonyms.get(word), language);
  if (table === undefined) {
    return JSON.stringify([
      question.type,
      question.asksFor ?? '',
      question.written.map((word) => stemWord(word, language)),
    ]);
  }
  const plain = plainWording(question, table);
  const type = questionType(plain, language);
  const asksFor = askedKind(plain, language);
  const silent = asksFor === undefined ? undefined : table.asked.get(asksFor);
  const said: string[] = [];
  let way = '';
  for (const word of wordsOf(question, plain)) {
    const folded = foldWord(word);
    if (negationOf(folded, language) === 'negation') said.push(DENIAL);
    else if (table.ways.has(folded)) way = `${folded} `;
    else if (!table.empty.has(folded) && silent?.has(folded) !== true) {
      said.push(way + formOf(word));
      way = '';
    }
  }
  return JSON.stringify([wanted(type, asksFor, silent), modeOf(plain, type, table), [...new Set(said)].sort()]);
}

/** With its phrases brought to one of those that ask the same. */
function plainWording({ text, language }: AnalysedQuestion, { phrases }: Table): string {
  const plain = plainQuestion(text, language);
  return phrases.reduce((said, [phrase, same]) => said.replace(phrase, same), plain).trim();
}

/** Words of the phrases, else words as the question has them: folded ones are other words to a stemmer. */
function wordsOf({ written }: AnalysedQuestion, plain: string): readonly string[] {
  const asWritten = new Map(written.map((word) => [foldWord(word), word]));
  return writtenWords(plain).map((word) => asWritten.get(word) ?? word);
}

/** What decides by itself needs no type; a definition is what a question by the bare name wants. */
function wanted(type: string, asksFor: string | undefined, silent: ReadonlySet<string> | undefined): string {
  if (asksFor !== undefined && silent !== undefined) return asksFor;
  return type === 'definition' ? 'other' : type;
}

function modeOf(plain: string, type: string, { modes }: Table): string {
  if (type !== 'yes-no') return '';
  return modes.find(([, opening]) => opening.test(plain))?.[0] ?? '';
}

/** One form for all words of a group of synonyms. */
function leastForm(word: string, term: QuestionTerm | undefined, language: string): string {
  const same = (term?.alternatives ?? []).flatMap(({ words: [first = '', ...more], isSynonym }) =>
    isSynonym && more.length === 0 ? [first] : [],
  );
  return [word, ...same].map((form) => stemWord(form, language)).sort()[0] ?? word;
}

const tables = new Map<string, Table>();

function tableOf(language: string): Table | undefined {
  const lists = WORDING_TABLES[language];
  if (lists === undefined) return undefined;
  const known = tables.get(language) ?? compile(lists);
  tables.set(language, known);
  return known;
}

function compile({ phrases, empty, asked, ways, modes }: WordingTable): Table {
  return {
    phrases: phrases.map(([phrase, same]) => [wholePhrase(phrase), same]),
    empty: wordSet(empty),
    asked: new Map(Object.entries(asked).map(([kind, words]) => [kind, wordSet(words)])),
    ways: wordSet(ways),
    modes: Object.entries(modes).map(([mode, openings]) => [mode, new RegExp(`^(?:${openings})(?!\\p{L})`, 'u')]),
  };
}

function wholePhrase(phrase: string): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${phrase.replace(/\s*\n\s*/g, '')})(?!\p{L})`, 'gu');
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}
