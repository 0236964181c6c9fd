import type { Passage, QuestionTerm, Terms } from '../search/passage.ts';
import type { AnswerBlock } from './blocks/answer-blocks.ts';
import type { AnalysedQuestion } from './question-types.ts';

/** Per term of the question the best share, 0 to 1, to which a text satisfies it; `[]` = none at all. */
export type Strengths = readonly number[];

/** How far a sentence answers, shares of the question's weight being 0 to 1. */
export type RankedSentence = {
  /** Sum of all that speaks for it and against it: any number. */
  readonly score: number;
  /** By its own words, those of its headings (0.6) and of the title (0.5). */
  readonly coverage: number;
  /** By its own words alone. */
  readonly ownCoverage: number;
  /** Says what the subject of a definition question is. */
  readonly isDefinition: boolean;
  readonly strengths: Strengths;
  /** Stems that the question asks for, or what may stand for them. */
  readonly matched: number;
  /** Share of the question's neighbouring words that are neighbours in it too. */
  readonly wordPairs: number;
  /** Holds what this type of question asks for. */
  readonly fitsType: boolean;
  readonly terms: Terms;
};

/** A block of a passage, and how far it answers. */
export type RankedBlock = AnswerBlock & {
  /** Of the model: any number. */
  readonly score: number;
  /** Of what it says itself, lead-ins aside: by its words, those of its headings (0.6) and of the title (0.5). */
  readonly coverage: number;
  /** By its words alone, lead-ins among them. */
  readonly ownCoverage: number;
  /** Of its vector and that of the question; undefined = not compared. */
  readonly cosine?: number | undefined;
};

/** A passage with what decides over its place, and whether and how it answers. */
export type RankedPassage = {
  readonly passage: Passage;
  /** Place in the ranking is by this; at least 0. */
  readonly score: number;
  /** That the score holds of what is no matter of its words: language, conversation, suspicion. */
  readonly factor: number;
  /** BM25 score divided by the best one. */
  readonly relevance: number;
  /** BM25 score divided by the weight of all words of the question: how strongly it is about them, 0 to about 2. */
  readonly strength: number;
  /** By body 1, headings 1, title 0.85. */
  readonly coverage: number;
  /** Coverage times precision of the last heading. */
  readonly headingMatch: number;
  /** Coverage times precision of the title. */
  readonly titleMatch: number;
  /** Evidence of all passages of its document, against the best document: 0 to 1. */
  readonly pageScore: number;
  /** What stands around its text says of the question. */
  readonly headingContext: { readonly headings: Strengths; readonly title: Strengths; readonly lastHeading: Strengths };
  /** Words that are covered below 0.4, and the share of the heaviest of them. */
  readonly missingTerms: readonly QuestionTerm[];
  readonly heaviestMissing: number;
  readonly codeShare: number;
  /** Share of the question's neighbouring words that are neighbours in it too. */
  readonly wordPairs: number;
  /** One per sentence of the passage, in its order. */
  readonly sentences: readonly RankedSentence[];
  /** Index of the sentence with the highest score; a passage has at least one. */
  readonly bestSentence: number;
  /** In the order of the passage; empty until the blocks of the best passages are ranked, and of all others. */
  readonly blocks: readonly RankedBlock[];
  /** Has what the question asks for; true when it asks for nothing particular. */
  readonly hasAskedKind: boolean;
  /** As of its candidate. */
  readonly cosine?: number | undefined;
  readonly isVectorCandidate?: true;
};

export type Ranking = {
  readonly question: AnalysedQuestion;
  readonly terms: readonly QuestionTerm[];
  /** Best first, all of them: whoever chooses sources limits those of one document. */
  readonly passages: readonly RankedPassage[];
};
