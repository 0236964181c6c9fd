import type { Terms } from '../search/passage.ts';
import type { AnswerLength } from './composer.ts';
import type { Quote } from './quote.ts';
import type { Ranking } from './ranking.ts';
import type { Source } from './sources.ts';
import { overlap, SAME_OVERLAP, similarity } from './term-overlap.ts';

const SENTENCES = { concise: 3, comprehensive: 6 } as const satisfies Record<AnswerLength, number>;
const WEIGHTS = { coverage: 0.6, centrality: 0.4 } as const;
/**
 * A source whose best sentence covers less of the query than this share of what the best of all covers says nothing
 * about it: those that are about it cover .8 to .9, others .1 ("Can I bring my dog?" on the sample site).
 */
const LEAST_OF_BEST = 1 / 3;
/** Fewer terms are a heading or a label. */
const LEAST_TERMS = 4;

type Scored = { readonly quote: Quote; readonly terms: Terms; readonly coverage: number; readonly score: number };

/**
 * What the sources say about the query: of each the sentence that covers it best and is most like all others, then the
 * next best of each while there is room. Sources that say nothing about the query are left out. In the order of sources and page. Answers design 11.
 */
export function chooseSummary(ranking: Ranking, sources: readonly Source[], length: AnswerLength): readonly Quote[] {
  const bySource = onTheQuery(scoredBySource(ranking, sources));
  const chosen: Scored[] = [];
  for (let round = 0; bySource.some((own) => own.length > round); round++) {
    const best = bySource.flatMap((own) => own[round] ?? []).sort((a, b) => b.score - a.score);
    for (const scored of best) {
      if (chosen.length < SENTENCES[length] && !chosen.some((other) => saySame(other, scored))) chosen.push(scored);
    }
  }
  const place = ({ reference }: Quote) => sources.findIndex((source) => source.reference === reference);
  return chosen
    .map(({ quote }) => quote)
    .sort((a, b) => place(a) - place(b) || a.passage.ordinal - b.passage.ordinal || a.at - b.at);
}

/** Sentences of each source, best first. O(sentences²) over those of the sources: a few hundred. */
function scoredBySource({ passages }: Ranking, sources: readonly Source[]): readonly (readonly Scored[])[] {
  const ranked = new Map(passages.map((each) => [each.passage, each]));
  const sentences = sources.flatMap(({ reference, passages: own }) =>
    own.flatMap((passage) =>
      passage.sentences.flatMap(({ kind, isSuspicious, text }, at) => {
        const sentence = ranked.get(passage)?.sentences[at];
        const isFit = sentence !== undefined && kind !== 'code' && !isSuspicious && !/[?？]$/.test(text);
        return isFit && sentence.terms.length >= LEAST_TERMS ? [{ quote: { reference, passage, at }, sentence }] : [];
      }),
    ),
  );
  const scored = sentences.map(({ quote, sentence: { terms, coverage } }) => {
    const likeness = sentences.map(({ sentence }) => similarity(terms, sentence.terms));
    const centrality = likeness.reduce((sum, value) => sum + value, 0) / likeness.length;
    return { quote, terms, coverage, score: WEIGHTS.coverage * coverage + WEIGHTS.centrality * centrality };
  });
  return sources.map(({ reference }) =>
    scored.filter(({ quote }) => quote.reference === reference).sort((a, b) => b.score - a.score),
  );
}

/** The sources that bear on the query. */
function onTheQuery(bySource: readonly (readonly Scored[])[]): readonly (readonly Scored[])[] {
  const bestOf = (sentences: readonly Scored[]) => Math.max(0, ...sentences.map(({ coverage }) => coverage));
  const least = LEAST_OF_BEST * Math.max(0, ...bySource.map(bestOf));
  return bySource.filter((sentences) => bestOf(sentences) >= least);
}

function saySame(a: Scored, b: Scored): boolean {
  return overlap(a.terms, b.terms) > SAME_OVERLAP;
}
