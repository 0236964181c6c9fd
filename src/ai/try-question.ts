import { questionLanguage } from './answer-language.ts';
import type { NearestPage, TryQuestion } from './content-gaps.ts';
import { type EvidenceDeps, findEvidence } from './find-evidence.ts';

const NEAREST_PAGES = 3;

/** Looks for an answer made of passages, without a conversation and without writing it. */
export function questionTrial(deps: EvidenceDeps & { readonly sourceFields: readonly string[] }): TryQuestion {
  return async ({ engine, question, language }, signal) => {
    const { ranking, answerability } = await findEvidence(deps, {
      ...{ engine, question, signal, boosts: [], sourceFields: deps.sourceFields, history: [], rewriter: undefined },
      language: questionLanguage(question, language),
      answerLanguage: undefined,
      filter: { kind: 'all' },
    });
    const nearest = new Map<string, NearestPage>();
    for (const { passage } of ranking.passages) {
      if (nearest.size === NEAREST_PAGES) break;
      nearest.set(passage.url, { url: passage.url, title: passage.title });
    }
    return { couldAnswer: answerability.refusal === undefined, nearest: [...nearest.values()] };
  };
}
