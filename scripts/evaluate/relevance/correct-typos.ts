import { type ReadQuery, readQuery } from '../../../src/search/query/read-query.ts';
import { runQuery } from '../../../src/search/run-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { matchPlan } from '../../../src/search-index/relevance.ts';
import { wordsOf } from '../../../src/text/analyzer.ts';
import { foldWord } from '../../../src/text/folding.ts';
import { isStopWord } from '../../../src/text/stop-words.ts';
import { seededRandom } from '../../bench/seeded-random.ts';
import { openIndexOf } from '../open-index.ts';
import { type Corpus, HALVES, type Half, storedDocuments } from './corpus.ts';

export const EDITS = ['deletion', 'insertion', 'substitution', 'swap'] as const;
export type Edit = (typeof EDITS)[number];

/** A word of the corpus with one edit, which no document matches; `corrected` = the word of `FixedQuery`, folded. */
export type CorrectedTypo = {
  readonly word: string;
  readonly typed: string;
  readonly edit: Edit;
  readonly half: Half;
  readonly corrected: string;
};

/** Corrections are tuned on the first seed alone; the second says whether they hold elsewhere. */
const SEEDS = { tuning: 20_261_127, 'held-out': 7_021_162 } as const satisfies Record<Half, number>;
/** Of each kind and half. */
const TYPOS = 25;
/** A typo of a shorter word may be too short to be corrected. */
const FEWEST_LETTERS = 5;
/** What is written on one page alone is as likely a typo of its author. */
const FEWEST_DOCUMENTS = 2;
/** Edits that are tried before a corpus is too small: most make a word that documents match. */
const MOST_TRIES = 20_000;

/** What is searched for instead of a query that no document matches; `''` = nothing is. */
export type Correct = (typed: string) => Promise<string>;

/**
 * Types words of a corpus with one edit, as whole queries of an engine of its language: of a running installation that
 * `correct` asks, or of an index of its own.
 */
export async function correctTypos(
  corpus: Omit<Corpus, 'name' | 'queries'>,
  correct?: Correct,
): Promise<readonly CorrectedTypo[]> {
  const { engineLanguage } = corpus;
  const words = wordsOfCorpus(corpus);
  await using opened = await openIndexOf(storedDocuments(corpus.documents), engineLanguage);
  const { searchIndex } = opened;
  const signal = new AbortController().signal;
  const rules = { language: engineLanguage, fields: [], synonyms: compileSynonyms([], []) };
  const read = (text: string, operator: 'AND' | 'OR') => readQuery(text, { ...rules, operator });
  const toPlan = ({ match }: ReadQuery) => matchPlan(match);
  const correctHere: Correct = async (text) => {
    const ran = await runQuery({ searchIndex }, { engineId: 1, text, operator: 'OR', read, toPlan, signal });
    return ran.fixedQuery;
  };
  const typos: CorrectedTypo[] = [];
  for (const half of HALVES) {
    const random = seededRandom(SEEDS[half]);
    const letters = words.join('');
    for (const edit of EDITS) {
      const typed = new Set<string>();
      for (let tries = 0; typed.size < TYPOS && tries < MOST_TRIES; tries++) {
        const word = words[Math.floor(random() * words.length)] ?? '';
        const text = edited(word, edit, { random, letters });
        if (typed.has(text) || (await searchIndex.hasMatch(1, read(text, 'OR').match, signal))) continue;
        typed.add(text);
        const corrected = foldWord(await (correct ?? correctHere)(text));
        typos.push({ word, typed: text, edit, half, corrected });
      }
    }
  }
  return typos;
}

/** Folded words of letters that enough documents have, stop words left out, in order of the alphabet. */
function wordsOfCorpus({ documents, engineLanguage }: Pick<Corpus, 'documents' | 'engineLanguage'>): readonly string[] {
  const counts = new Map<string, number>();
  for (const { fields } of documents) {
    const texts = ['Title', 'Headings', 'Content'].flatMap((field) => fields[field] ?? []);
    const own = wordsOf(texts.join('\n')).filter((word) => !isStopWord(word, engineLanguage));
    for (const word of new Set(own.map(foldWord))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .filter(([word, count]) => count >= FEWEST_DOCUMENTS && word.length >= FEWEST_LETTERS && /^\p{L}+$/u.test(word))
    .map(([word]) => word)
    .sort();
}

type Typist = { readonly random: () => number; readonly letters: string };

/** The word with one edit at any place; a new letter is as frequent as in the corpus. */
function edited(word: string, edit: Edit, { random, letters }: Typist): string {
  const at = Math.floor(random() * word.length);
  const letter = letters.charAt(Math.floor(random() * letters.length));
  switch (edit) {
    case 'deletion':
      return word.slice(0, at) + word.slice(at + 1);
    case 'insertion':
      return word.slice(0, at) + letter + word.slice(at);
    case 'substitution':
      return word.slice(0, at) + letter + word.slice(at + 1);
    case 'swap':
      return (
        word.slice(0, at) +
        word
          .slice(at, at + 2)
          .split('')
          .reverse()
          .join('') +
        word.slice(at + 2)
      );
  }
}
