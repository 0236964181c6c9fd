import { hasDependentOpener } from '../text/dependent-openers.ts';
import { endsSentence } from '../text/sentences.ts';
import { type AnswerBlock, blocksOf } from './blocks/answer-blocks.ts';
import type { AnswerLength } from './composer.ts';
import type { Quote } from './quote.ts';
import type { RankedPassage, Ranking } from './ranking.ts';
import type { Source } from './sources.ts';
import { type DistinctTerms, distinctTerms, overlap, SAME_OVERLAP, similarity } from './term-overlap.ts';

/** Blocks of a summary. */
const BLOCKS = { concise: 3, comprehensive: 6 } as const satisfies Record<AnswerLength, number>;
const WEIGHTS = { coverage: 0.6, centrality: 0.4 } as const;
/**
 * A source whose best block covers less of the query than this share of what the best of all covers says nothing
 * about it: those that are about it cover .8 to .9, others .1 ("Can I bring my dog?" on the sample site).
 */
const LEAST_OF_BEST = 1 / 3;
/** Fewer terms are a heading or a label. */
const LEAST_TERMS = 4;
const QUESTION = /[?？]$/u;

type Said = {
  readonly reference: number;
  readonly ranked: RankedPassage;
  readonly block: AnswerBlock;
  readonly terms: DistinctTerms;
  readonly coverage: number;
};
type Scored = Said & { readonly score: number };

/**
 * What the sources say about the query: of each the block that covers it best and is most like all others, then the
 * next best of each while there is room. Sources that say nothing about the query are left out. In the order of sources
 * and page. Answers design 11.
 */
export function chooseSummary(ranking: Ranking, sources: readonly Source[], length: AnswerLength): readonly Quote[] {
  const bySource = onTheQuery(scoredBySource(ranking, sources));
  const chosen: Scored[] = [];
  for (let round = 0; bySource.some((own) => own.length > round); round++) {
    const best = bySource.flatMap((own) => own[round] ?? []).sort((a, b) => b.score - a.score);
    for (const scored of best) {
      if (chosen.length < BLOCKS[length] && !chosen.some((other) => saySame(other, scored))) chosen.push(scored);
    }
  }
  const place = ({ reference }: Quote) => sources.findIndex((source) => source.reference === reference);
  return chosen
    .flatMap(({ reference, ranked: { passage }, block }) => block.sentences.map((at) => ({ reference, passage, at })))
    .sort((a, b) => place(a) - place(b) || a.passage.ordinal - b.passage.ordinal || a.at - b.at);
}

/** Blocks of each source, best first. O(blocks²) over those of the sources: a few hundred. */
function scoredBySource({ passages }: Ranking, sources: readonly Source[]): readonly (readonly Scored[])[] {
  const ranked = new Map(passages.map((each) => [each.passage, each]));
  const said = sources.map(({ reference, passages: own }) => {
    const found = own.flatMap((passage) => ranked.get(passage) ?? []);
    const inText = found.filter(({ passage }) => passage.field !== 'Description');
    const read = inText.length > 0 ? inText : found;
    const whole = read.flatMap((each) => saidBy(each, reference, isWhole));
    // A source that is a title says what it says.
    return whole.length > 0 ? whole : read.flatMap((each) => saidBy(each, reference, isQuotable));
  });
  const all = said.flat();
  return said.map((own) => {
    const scored = own.map((block): Scored => {
      const likeness = all.map(({ terms }) => similarity(block.terms, terms));
      const centrality = likeness.reduce((sum, value) => sum + value, 0) / likeness.length;
      return { ...block, score: WEIGHTS.coverage * block.coverage + WEIGHTS.centrality * centrality };
    });
    return scored.sort((a, b) => b.score - a.score);
  });
}

type IsSaid = (ranked: RankedPassage, block: AnswerBlock) => boolean;

function saidBy(ranked: RankedPassage, reference: number, isSaid: IsSaid): readonly Said[] {
  const blocks = blocksOf(ranked.passage);
  const inTables = new Set(blocks.filter(({ kind }) => kind === 'table').flatMap(({ sentences }) => sentences));
  return blocks
    .filter(
      (block) => isSaid(ranked, block) && !(block.kind === 'row' && block.sentences.some((at) => inTables.has(at))),
    )
    .flatMap((block): readonly Said[] => {
      const parts = block.sentences.flatMap((at) => ranked.sentences[at] ?? []);
      const all = parts.map((part) => part.terms);
      if (all.reduce((sum, { length }) => sum + length, 0) < LEAST_TERMS) return [];
      const coverage = Math.max(...parts.map((part) => part.coverage));
      return [{ reference, ranked, block, terms: distinctTerms(all), coverage }];
    });
}

/** A whole statement that can be read alone: a sentence, an item that is one, a small table, a row of another. */
function isWhole(ranked: RankedPassage, block: AnswerBlock): boolean {
  const { passage } = ranked;
  const { kind, sentences, leadIns } = block;
  const said = sentences.flatMap((at) => passage.sentences[at] ?? []);
  if (!isQuotable(ranked, block)) return false;
  if (kind === 'row' || kind === 'table') return true;
  const isStatement = said.every(({ text }) => endsSentence(text) && !QUESTION.test(text));
  const leans = leadIns.length > 0 || hasDependentOpener(said[0]?.text ?? '', passage.language);
  return (kind === 'sentence' || kind === 'item') && isStatement && !leans;
}

function isQuotable({ passage }: RankedPassage, { kind, sentences }: AnswerBlock): boolean {
  const isSafe = sentences.every((at) => passage.sentences[at]?.isSuspicious === false);
  return isSafe && kind !== 'code' && kind !== 'pair' && kind !== 'list';
}

/** The sources that bear on the query. */
function onTheQuery(bySource: readonly (readonly Scored[])[]): readonly (readonly Scored[])[] {
  const bestOf = (blocks: readonly Scored[]) => Math.max(0, ...blocks.map(({ coverage }) => coverage));
  const least = LEAST_OF_BEST * Math.max(0, ...bySource.map(bestOf));
  return bySource.filter((blocks) => bestOf(blocks) >= least);
}

function saySame(a: Scored, b: Scored): boolean {
  return overlap(a.terms, b.terms) > SAME_OVERLAP;
}
