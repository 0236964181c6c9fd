/**
 * All words and phrases that the product knows of a language, as they are written in its pack: one file a language, each
 * member read by one module. Every member is named in every pack, so that the compiler lists what a new one lacks;
 * `undefined` says that the product does without.
 */
export type LanguagePack = {
  /** ISO 639-1; Norwegian is `nb`. */
  readonly code: string;
  /**
   * As the tokenizer writes them, parted by blanks: articles, pronouns, prepositions, conjunctions, auxiliaries and
   * question words, at most 150. Words with a meaning of their own are left out on purpose. Read by `text/stop-words`.
   */
  readonly stopWords: string | undefined;
  /** As in running text without their last full stop, parted by blanks: they end no sentence (`text/sentences`). */
  readonly abbreviations: string | undefined;
  /** What stands between a thing and what it is, in the present and the past, parted by `|` (`text/definitions`). */
  readonly definitionVerbs: string | undefined;
  /** Of texts that address an assistant (`text/injected-text`). */
  readonly injectionWords: InjectionWords | undefined;
  /**
   * Words that questions and pages of all subjects use for the same thing: `|` between groups, commas within. No
   * vocabulary of a product: such words lift the questions they were chosen on by 12 points and others by none
   * (`search/question-terms`).
   */
  readonly synonyms: string | undefined;
  /** Undefined: questions of the language are answered by what all languages share. */
  readonly answers: AnswerWords | undefined;
};

/** Words for questions, and for judging whether a text supports an answer. */
export type AnswerWords = {
  readonly questions: QuestionPhrases;
  readonly answerSigns: AnswerSigns;
  /** Undefined: questions are compared as they are worded. */
  readonly wordings: QuestionWordings | undefined;
  /** Undefined: questions of visitors are searched for as they are. */
  readonly intents: Readonly<Record<QueryIntent, IntentWords>> | undefined;
  readonly followUps: FollowUpWords;
  readonly imperatives: ImperativeWords;
  /**
   * What a sentence opens with that goes on with the one before it, or points back to it: parted by `|`, in lower case.
   * Words that are also articles, or stand for nobody (`es gibt`), are no sign.
   */
  readonly dependentOpeners: string;
  /**
   * Groups of words of which only one can be true of the same thing: `|` between groups, `/` between spellings of one
   * word. A statement may not hold one where its source holds another of the group instead.
   */
  readonly exclusiveWords: string;
  /**
   * Words that turn a statement around, as the tokenizer writes them. A statement that repeats what one of them governs
   * has to repeat one of them.
   */
  readonly negations: string;
  /** Words that say no in another way. They stand for a negation where one is wanted, and want none themselves. */
  readonly softNegations: string;
  /**
   * Phrases that claims and sources exchange without a change of meaning: `plain words: phrase, phrase`, `|` between
   * groups. A phrase is read as the plain words; `~` stands for up to four words of its own (turn it off). Undefined:
   * words are compared as they are.
   */
  readonly paraphrases: string | undefined;
  /**
   * Verbs that most clauses have one of: a part of a sentence without one is no clause. Undefined: sentences are compared
   * by meaning as a whole.
   */
  readonly finiteVerbs: string | undefined;
  /**
   * Words that limit what is said, as phrases are read: `both` a claim has where its source has them and nowhere else,
   * `wanted` only where its source has them, and `modes` are what one must and what one may. Undefined: no claim of the
   * language is compared by meaning.
   */
  readonly limits:
    | {
        readonly both: readonly string[];
        readonly wanted: readonly string[];
        readonly modes: readonly [must: string, may: string];
      }
    | undefined;
  /** Beginnings that turn a word around. */
  readonly reversals: readonly string[];
  /** First word of "According to the page,". */
  readonly attribution: string | undefined;
  /** Words that a clause begins with within a sentence. */
  readonly joiningWords: string;
  /**
   * Words that writers add or exchange freely without changing what is claimed: verbs of any subject, words about the
   * text itself, adverbs. They count little whether a source has them or not.
   */
  readonly lightWords: string;
  /**
   * Number words from two on, as the tokenizer writes them: the list begins at 2, `|` parts other spellings. "One" is an
   * article or a pronoun as often as a number.
   */
  readonly numberWords: string;
  /** Round ones: word, value. */
  readonly roundNumbers: string;
};

/** What a question asks for by its form. */
export const QUESTION_TYPES = [
  'number',
  'date',
  'person',
  'place',
  'definition',
  'how-to',
  'why',
  'yes-no',
  'other',
] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

/** What an answer cannot be without. A question that asks for several asks for the first of them. */
export const ANSWER_KINDS = [
  'phone',
  'email',
  'duration',
  'price',
  'weight',
  'capacity',
  'year',
  'time',
  'count',
  'person',
] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** What visitors of a place ask first: when it is open, how to get there, what it costs, whom to call or write to. */
export const QUERY_INTENTS = ['hours', 'way', 'price', 'contact'] as const;
export type QueryIntent = (typeof QUERY_INTENTS)[number];

/**
 * Phrases of questions, parted by `|`, in lower case without accents (`text/folding`); one that begins with `^` counts
 * at the beginning of the question alone. `~` stands for up to eight words.
 */
export type QuestionPhrases = {
  readonly types: Readonly<Partial<Record<QuestionType, string>>>;
  readonly asks: Readonly<Partial<Record<AnswerKind, string>>>;
  /** Verbs and nouns that stand in questions about anything. */
  readonly small: string;
  /** What may stand before the question itself. */
  readonly polite: string;
};

/** Words that sentences answer certain questions with, parted by `|`, in lower case without accents. */
export type AnswerSigns = {
  readonly numbers: string;
  readonly months: string;
  readonly places: string;
  readonly reasons: string;
  readonly steps: string;
  readonly verdicts: string;
  readonly free: string;
};

/** How questions say the same in other words. Folded as in `QuestionPhrases`. */
export type QuestionWordings = {
  /** Expressions for phrases of a plain question, parted by `|`, and what they come to, in this order. */
  readonly phrases: readonly (readonly [phrase: string, plain: string])[];
  /** Function words that ask for nothing by themselves: what is not here is part of what is asked. */
  readonly empty: string;
  /** Words that what is asked for says already. */
  readonly asked: Readonly<Partial<Record<AnswerKind, string>>>;
  /** Prepositions that say which way: what follows them is not what stands before them. */
  readonly ways: string;
  /** Openings of questions for yes or no by what they ask about; others ask whether it is so. */
  readonly modes: Readonly<Record<'can' | 'must' | 'should', string>>;
};

export type IntentWords = {
  /** Phrases of questions without accents, parted by `|`; `~` stands for up to five words. */
  readonly wanted: string;
  /** Words of those questions that name the need itself. */
  readonly names: string;
  /** Words of those questions that pages answer with other words: each with what stands for it. */
  readonly times?: Readonly<Record<string, string>>;
  /** Words of pages that answer it, parted by blanks, the one that stands for the need first. */
  readonly words: string;
};

/** Words of questions that go on with the one before: parted by blanks, `opens` by `|`; in lower case. */
export type FollowUpWords = {
  /** Point back wherever they stand. */
  readonly refers: string;
  /** Are articles and the like elsewhere, and point back at the end of a question. */
  readonly refersLast: string;
  /** A question goes on with them. */
  readonly opens: string;
  /** Stand for a noun that was said, behind what tells which: (the red) one. */
  readonly nounStandIns: string;
  /** What a thing is named with: articles and possessives, as the tokenizer writes them. */
  readonly determiners: string;
  /** Verbs that stand before who does something, with the verb that says what behind them. */
  readonly auxiliaries: string;
  /** Forms of to be. */
  readonly copulas: string;
  /** What joins two nouns to one thing: a piece of cake. */
  readonly joins: string;
  /** Where the verb stands that an auxiliary goes with: may I `bring`, darf ich ihn `mitbringen`, ¿puedo `llevar`? */
  readonly mainVerb: 'behind-subject' | 'last' | 'behind-auxiliary';
};

/** How a page tells its reader to do something: lower case, without accents (`text/folding`). */
export type ImperativeWords = {
  /** Verbs as they tell one reader to do something. */
  readonly verbs: string;
  /** What else may stand before the verb. */
  readonly openers: string;
  /** Forms that tell by themselves that somebody is told to do something. */
  readonly forms?: RegExp;
};

/**
 * Words of one language by their part in texts that address an assistant: folded (lower case, no accents), `*` = any
 * ending, a blank inside = several words.
 */
export type InjectionWords = {
  /** ignore, forget */
  readonly override: string;
  /** instructions, prompt */
  readonly orders: string;
  /** previous, all, your: which orders. */
  readonly which: string;
  /** Language models and what they are called; never people. */
  readonly agents: string;
  /** note to, you are: what turns to somebody. */
  readonly address: string;
  /** must, always, please */
  readonly demand: string;
  /** answer, say, recommend */
  readonly speech: string;
  /** reveal, repeat */
  readonly reveal: string;
  /** system prompt, your instructions */
  readonly secrets: string;
  /** end, begin, include: what is done to an answer. */
  readonly control: string;
  /** your answer */
  readonly answer: string;
  /** when users ask */
  readonly request: string;
  /** say that, respond with */
  readonly tell: string;
  /** every reply about: what others write, whoever they are. */
  readonly dictated: string;
  /** name, begin with: what is to be said in it. */
  readonly dictate: string;
  /** whenever it is mentioned, whoever answers. */
  readonly occasion: string;
  /** when you sum up: the same in the second person. */
  readonly addressed: string;
  /** Phrases that say enough by themselves. */
  readonly phrases: string;
};

/** Names of days, each with the words of pages that are about it: a page that is about every day need not name this one. */
export function daysOf(days: string, words: string): Readonly<Record<string, string>> {
  return Object.fromEntries(days.split(/\s+/).map((day) => [day, words]));
}
