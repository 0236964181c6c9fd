import type {
  GoldenComposer,
  GoldenQuestion,
  GoldenQuestionStore,
  GoldenResult,
} from '../storage/golden-question-store.ts';

/** How a golden question stands with one composer. */
export type GoldenState = {
  readonly question: GoldenQuestion;
  readonly composer: GoldenComposer;
  /** Undefined = it was not asked yet. */
  readonly latest: GoldenResult | undefined;
  readonly lastRightAt: number | undefined;
};

/** The golden questions of an engine with their latest results; the wrong ones first. */
export async function readGoldenStates(
  { systemStore }: { readonly systemStore: GoldenQuestionStore },
  engineId: number,
): Promise<readonly GoldenState[]> {
  const questions = await systemStore.listGoldenQuestions(engineId);
  const histories = await systemStore.goldenHistories(engineId);
  const states = questions.flatMap((question): GoldenState[] => {
    const known = histories.filter(({ latest }) => latest.questionId === question.id);
    if (known.length === 0) return [{ question, composer: 'extractive', latest: undefined, lastRightAt: undefined }];
    return known.map(({ latest, lastRight }) => {
      return { question, composer: latest.composer, latest, lastRightAt: lastRight?.at };
    });
  });
  return states.sort((a, b) => urgency(b) - urgency(a) || a.question.id - b.question.id);
}

function urgency({ latest }: GoldenState): number {
  if (latest === undefined || latest.isRight) return 0;
  return latest.isRegressed ? 2 : 1;
}
