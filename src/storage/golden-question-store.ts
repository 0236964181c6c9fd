/** Who writes an answer to a golden question. */
export const GOLDEN_COMPOSERS = ['extractive', 'model'] as const;
export type GoldenComposer = (typeof GOLDEN_COMPOSERS)[number];

/** A question of an operator, with what its answer is to cite and to say. */
export type GoldenQuestion = {
  readonly id: number;
  readonly engineId: number;
  readonly question: string;
  /** URLs of pages; ` | ` stands between pages of which one is enough. */
  readonly mustCite: readonly string[];
  /** Words of the answer, likewise. */
  readonly mustContain: readonly string[];
  readonly createdAt: number;
};

export type GoldenPage = { readonly crawlerId: number; readonly documentId: string; readonly url: string };

/** A version of a document that came after the last right answer; `seq` undefined: it was removed. */
export type ChangedPage = GoldenPage & { readonly seq: number | undefined; readonly at: number | undefined };

/** How a golden question was answered. */
export type GoldenResult = {
  readonly questionId: number;
  readonly composer: GoldenComposer;
  readonly at: number;
  /** Last change of the documents that the answer could see. */
  readonly seq: number;
  readonly isRight: boolean;
  /** It is wrong, and the question was answered right before. */
  readonly isRegressed: boolean;
  /** Of the first of the results in a row that are as right. */
  readonly since: number;
  /** Why nothing was answered. */
  readonly refusal: string | undefined;
  /** What the answer lacks, as the question has it. */
  readonly missingPages: readonly string[];
  readonly missingTexts: readonly string[];
  readonly cited: readonly GoldenPage[];
  /** What the composer read; the same for the same passages. */
  readonly basis: string;
  /** Of a regressed one: what came after the latest right answer. */
  readonly changed: readonly ChangedPage[];
};

/** The latest result of a question by one composer, and the latest right one. */
export type GoldenHistory = { readonly latest: GoldenResult; readonly lastRight: GoldenResult | undefined };

/** The golden questions of an engine up to `lastQuestionId` were asked, of documents up to `seq`. */
export type GoldenRound = {
  readonly engineId: number;
  readonly lastQuestionId: number;
  readonly at: number;
  readonly seq: number;
};

/**
 * Part of the port `SystemStore`: golden questions of engines and how they were answered. Promises:
 * - ids grow and are never given again; a question comes back exactly as it was stored; lists ascend by id;
 * - adding and removing are in the audit log;
 * - a removed question takes its results with it; that of another engine stays: false;
 * - `goldenEngines` names the engines that have questions, with the `seq` of their last round, undefined when a question
 *   was added since, also while the round was under way, or there was none;
 * - results of one question are stored together; nothing is stored for a question that is gone;
 * - the latest result and the latest right one of a question and composer are kept, of others the newest 20.
 */
export interface GoldenQuestionStore {
  addGoldenQuestion(question: Omit<GoldenQuestion, 'id'>): Promise<GoldenQuestion>;
  /** True when there was one. */
  removeGoldenQuestion(input: {
    readonly engineId: number;
    readonly id: number;
    readonly at: number;
  }): Promise<boolean>;
  listGoldenQuestions(engineId: number): Promise<readonly GoldenQuestion[]>;
  goldenEngines(): Promise<readonly { readonly engineId: number; readonly seq: number | undefined }[]>;
  addGoldenResults(input: { readonly engineId: number; readonly results: readonly GoldenResult[] }): Promise<void>;
  /** Nothing when a question was added that the round has not asked. */
  endGoldenRound(round: GoldenRound): Promise<void>;
  /** Newest first. */
  listGoldenResults(questionId: number, composer: GoldenComposer): Promise<readonly GoldenResult[]>;
  goldenHistories(engineId: number): Promise<readonly GoldenHistory[]>;
}
