import type { Vocabulary } from '../text/compounds.ts';
import { spellingsOf } from '../text/spellings.ts';
import { stemWord } from '../text/stemming.ts';
import { bigramTerm, linkTextTerm, partTerm, secondaryTerm } from '../text/term-keys.ts';
import { tokenizeSpans } from '../text/tokenizer.ts';
import type { Alternative, MatchNode, WordNode } from './query-plan.ts';

/** What an index knows of the words of its live documents. */
export type WordKnowledge = {
  readonly languages: readonly string[];
  readonly vocabulary: Vocabulary;
  /** Some document may have words beside its main text. */
  readonly hasSecondaryText: boolean;
  /** Links with a text may lead to some document. */
  readonly hasLinkTexts: boolean;
};

/** What the forms of a word are worth against the word itself (search-engine design 11.1, start values). */
const WEIGHTS = { spelling: 0.9, bigrams: 0.8, part: 0.7, split: 0.6, linkText: 0.9, surroundings: 0.05 } as const;
/** Positions from the first to the last part of a split word. */
const SPLIT_POSITIONS = 10;
/** Thai is the first script without blanks; Hangul and Han come later. */
const MAY_HAVE_BIGRAMS = /[\u0e00-\uffff]/;
const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u;
/** `iphone15` and `18v`, which many write with a blank; one letter before a number is mostly a word of its own. */
const LETTERS_AND_NUMBER = /^(?:([\p{L}\p{M}]{2,})(\p{Nd}+)|(\p{Nd}+)([\p{L}\p{M}]+))$/u;

/**
 * The tree with the forms under which an index holds its words too, as alternatives: other spellings of umlauts and
 * accents, the letters and the number of `iphone15` side by side or joined, the characters of words in scripts without
 * blanks and of Hangul, compounds that have the word as a part, the parts of a word that is a compound, and the word
 * in texts of links and beside a main text. Every adapter searches with it.
 */
export function withWordForms(match: MatchNode, knowledge: WordKnowledge): MatchNode {
  const all = (nodes: readonly MatchNode[]) => nodes.map((node) => withWordForms(node, knowledge));
  switch (match.kind) {
    case 'word': {
      const forms = match.role === 'content' ? formsOf(match, knowledge) : [];
      return forms.length === 0 ? match : { ...match, also: [...match.also, ...forms] };
    }
    case 'and':
    case 'or':
      return { kind: match.kind, of: all(withJoinedNumbers(match.of)) };
    case 'not':
      // What every page has in its navigation must not exclude them all.
      return {
        kind: 'not',
        of: match.of.map((node) => withWordForms(node, { ...knowledge, hasSecondaryText: false, hasLinkTexts: false })),
      };
    case 'some':
      return { kind: 'some', must: all(match.must), should: all(match.should) };
    default:
      return match;
  }
}

/** Each word beside a number, and the number, with both in one: `18V` has the words `18 v`. */
function withJoinedNumbers(nodes: readonly MatchNode[]): readonly MatchNode[] {
  return nodes.map((node, i) => {
    if (node.kind !== 'word' || node.role !== 'content') return node;
    const joined = [...joinedNumber(nodes[i - 1], node), ...joinedNumber(node, nodes[i + 1])];
    const forms = joined.map((word): Alternative => {
      return { words: [word], slop: 0, weight: WEIGHTS.spelling, source: 'spelling' };
    });
    return { ...node, also: [...node.also, ...forms] };
  });
}

function joinedNumber(left: MatchNode | undefined, right: MatchNode | undefined): readonly string[] {
  if (left?.kind !== 'word' || right?.kind !== 'word' || left.field !== right.field) return [];
  const joined = left.text + right.text;
  return lettersAndNumber(joined)[0] === left.text ? [joined] : [];
}

/** The tree without the name of the query when no document has it: one word is then one leaf, and found as such. */
export function withoutAbsentName(match: MatchNode, documentsOf: (term: string) => number): MatchNode {
  if (match.kind !== 'or') return match;
  const kept = match.of.filter((node) => node.kind !== 'word' || node.role !== 'name' || documentsOf(node.text) > 0);
  const [only] = kept;
  return kept.length === 1 && only !== undefined ? only : { kind: 'or', of: kept };
}

type AddForm = (words: readonly string[], source: keyof typeof WEIGHTS, slop?: number) => void;

function formsOf({ text, field }: WordNode, knowledge: WordKnowledge): readonly Alternative[] {
  const forms = new Map<string, Alternative>();
  const add: AddForm = (words, source, slop = 0) => {
    const form = { words, slop, weight: WEIGHTS[source], source };
    forms.set(JSON.stringify(words), forms.get(JSON.stringify(words)) ?? form);
  };
  for (const language of knowledge.languages.toSorted()) addFormsIn(language, { text, knowledge, add });
  const apart = lettersAndNumber(text);
  if (apart.length > 0) add(apart, 'spelling');
  const bigrams = MAY_HAVE_BIGRAMS.test(text) ? bigramsOf(text) : [];
  if (bigrams.length > 0) add(bigrams, 'bigrams');
  if (knowledge.hasLinkTexts && field === undefined) add([linkTextTerm(text)], 'linkText');
  if (knowledge.hasSecondaryText && field === undefined) add([secondaryTerm(text)], 'surroundings');
  return [...forms.values()];
}

type FormRequest = { readonly text: string; readonly knowledge: WordKnowledge; readonly add: AddForm };

function addFormsIn(language: string, { text, knowledge: { vocabulary }, add }: FormRequest): void {
  const stem = stemWord(text, language);
  for (const spelling of spellingsOf(text, language)) {
    if (stemWord(spelling, language) !== stem) add([spelling], 'spelling');
  }
  if (!vocabulary.languages.has(language) || !LETTERS_ONLY.test(text)) return;
  add([partTerm(stem, language)], 'part');
  const parts = vocabulary.split(stem, language)?.words ?? [];
  const slop = SPLIT_POSITIONS - (parts.length - 1);
  if (parts.length > 0) add(parts, 'split', slop);
  // Of more than two parts, other orders than the written one are no longer the same thing.
  if (parts.length === 2) add(parts.toReversed(), 'split', slop);
}

/** The two parts of a word like `iphone15`; none of any other. */
function lettersAndNumber(text: string): readonly string[] {
  const [, ...parts] = LETTERS_AND_NUMBER.exec(text) ?? [];
  return parts.filter((part) => part !== undefined);
}

/** The bigrams of a word that consists of nothing else, in order. */
function bigramsOf(text: string): readonly string[] {
  const bigrams: string[] = [];
  tokenizeSpans(text, {
    token: () => undefined,
    bigram: (units, length) => bigrams.push(bigramTerm(String.fromCharCode(...units.subarray(0, length)))),
  });
  return bigrams.length === [...text].length - 1 ? bigrams : [];
}
