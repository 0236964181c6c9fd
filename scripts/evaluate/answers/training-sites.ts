import { gradedAsks, readGradedQuestions, SITE_CRAWLER } from '../graded-answers/graded-questions.ts';
import { GRADED_SITES, readSiteDocuments } from '../graded-answers/graded-sites.ts';
import { type OpenedSuite, openDocuments, openSuite } from './ask-suite.ts';
import { newDocument } from './sets.ts';
import type { EmbeddingChoice } from './suite-vectors.ts';
import { type AskedQuestion, SUITES, storedDocuments, suiteQuestions } from './suites.ts';

/** An engine and what is asked of it in training; `set` of each question is the site that is held out with it. */
export type TrainingSuite = {
  readonly language: string;
  readonly open: () => Promise<OpenedSuite>;
  readonly asked: readonly AskedQuestion[];
};

/**
 * The tuning halves of all suites, and the graded sites of that half, whose documents are in the folder; without a
 * folder the suites alone. With `embedding` their passages are found by vectors, too.
 */
export function trainingSuites(
  gradedDocuments: string | undefined,
  embedding?: EmbeddingChoice,
): readonly TrainingSuite[] {
  const suites = SUITES.map((suite): TrainingSuite => {
    const { language } = suite;
    return { language, open: () => openSuite(suite, embedding), asked: suiteQuestions(suite, 'tuning') };
  });
  return gradedDocuments === undefined ? suites : [...suites, ...gradedSuites(gradedDocuments, embedding)];
}

function gradedSuites(folder: string, embedding: EmbeddingChoice | undefined): readonly TrainingSuite[] {
  return GRADED_SITES.flatMap((site): readonly TrainingSuite[] => {
    const questions = site.half === 'tuning' ? readGradedQuestions(site) : undefined;
    if (questions === undefined) return [];
    const open = () => {
      const documents = readSiteDocuments(folder, site).map(newDocument);
      const rows = storedDocuments(documents.map((document) => ({ ...document, crawlerId: SITE_CRAWLER })));
      return openDocuments({ language: 'en', rows }, embedding);
    };
    return [{ language: 'en', open, asked: gradedAsks(site, questions) }];
  });
}
