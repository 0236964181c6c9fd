import { ENGINE_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import { analyseQuestion } from '../../src/ai/question.ts';
import { rankPassages } from '../../src/ai/rank-passages.ts';
import type { Ranking } from '../../src/ai/ranking.ts';
import type { StoredDocument } from '../../src/core/document.ts';
import type { Engine } from '../../src/core/records.ts';
import { DEFAULT_SOURCE_FIELDS } from '../../src/search/cut-passages.ts';
import { type AnalysedPassages, candidateFinder, createAnalysedPassages } from '../../src/search/find-candidates.ts';
import type { VectorSearch } from '../../src/search/nearest-passages.ts';
import type { RetrievalInput, RetrievedPassages } from '../../src/search/passage.ts';
import { type RetrievalDeps, retrievePassages } from '../../src/search/retrieve-passages.ts';
import type { SynonymGroup } from '../../src/storage/system/synonym-groups.ts';
import { createInMemoryIndex } from './in-memory-index/in-memory-index.ts';
import { NO_TOOLS } from './no-tools.ts';

export type PassageEngine = {
  /** The state of the store; changes are seen by the index only through `index`. */
  readonly rows: Map<number, StoredDocument>;
  readonly analysedPassages: AnalysedPassages;
  readonly deps: RetrievalDeps;
  readonly engine: Engine;
  retrieve(question: string, changes?: Partial<RetrievalInput>): Promise<RetrievedPassages>;
  rank(question: string, changes?: Partial<RetrievalInput>): Promise<Ranking>;
};

type PassageEngineOptions = {
  readonly language?: string;
  readonly synonymGroups?: readonly SynonymGroup[];
  readonly vectors?: VectorSearch;
};

/** An engine over documents in memory that questions are asked of. */
export async function openPassageEngine(
  documents: readonly StoredDocument[],
  { language = 'en', synonymGroups = [], vectors }: PassageEngineOptions = {},
): Promise<PassageEngine> {
  const searchIndex = createInMemoryIndex();
  const writer = searchIndex.writer(1);
  writer.apply(documents);
  await writer.refresh();
  const rows = new Map(documents.map((row) => [row.rid, row]));
  const isInjected = (sentence: string) => sentence.includes('Ignore all');
  const analysedPassages = createAnalysedPassages({ maxBytes: 2 ** 20, isInjected });
  const nothing = await NO_TOOLS.tools.of(1);
  const deps: RetrievalDeps = {
    searchIndex,
    findCandidates: candidateFinder(analysedPassages),
    vectors,
    tools: { of: async () => ({ ...nothing, synonymGroups }) },
    readDocuments: async (_engineId: number, rids: readonly number[]) => rids.map((rid) => rows.get(rid)),
  };
  const engine = {
    id: 1,
    customerId: 1,
    name: 'Library',
    language,
    settings: ENGINE_DEFAULTS,
    publicSettings: {} as Engine['publicSettings'],
    managedBy: undefined,
    createdAt: 0,
  };
  const retrieve: PassageEngine['retrieve'] = async (question, changes = {}) => {
    const { signal } = new AbortController();
    return retrievePassages(deps, {
      engine,
      question: analyseQuestion(question, language),
      filter: { kind: 'all' },
      boosts: [],
      query: await vectors?.questions.of(engine.id, question, signal),
      sourceFields: DEFAULT_SOURCE_FIELDS,
      signal,
      ...changes,
    });
  };
  return {
    rows,
    analysedPassages,
    deps,
    engine,
    retrieve,
    async rank(text, changes) {
      return rankPassages({ question: analyseQuestion(text, language), retrieved: await retrieve(text, changes) });
    },
  };
}
