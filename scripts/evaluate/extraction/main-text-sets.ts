import type { Extraction } from '../../../src/extract/extraction.ts';
import { mean } from '../ranking-measures.ts';
import { f1Of, type Score, segmentsIn, snippetShare, wordScore } from '../text-metrics.ts';
import type { ArticleRecord, WcxbRecord } from './page-records.ts';
import type { Row, SetReport } from './set-report.ts';

/** Gathers what is right and wrong about one page after another. */
export type Scorer<T> = {
  readonly add: (record: T, extraction: Extraction) => void;
  readonly report: () => SetReport;
};

type ScoredPage = Score & { readonly kind: string; readonly must: number; readonly mustNot: number };

/** Words of the main text against the labelled one, by kind of page. */
export function scoreMainText(): Scorer<WcxbRecord> {
  const pages: ScoredPage[] = [];
  return {
    add({ truth }, { fields }) {
      const content = fields.get('Content')?.[0] ?? '';
      const { main_content: wanted, with: must, without } = truth.ground_truth;
      const { primary } = truth._internal.page_type;
      pages.push({
        ...wordScore(content, wanted ?? ''),
        kind: primary === 'category' ? 'collection' : primary,
        must: snippetShare(content, must ?? [], 1),
        mustNot: snippetShare(content, without ?? [], 0),
      });
    },
    report() {
      const byKind = [...Map.groupBy(pages, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1));
      const rows = byKind.map(([kind, own]) => textRow(kind, own));
      const kinds = mean(rows.map(({ figures }) => figures['F1'] ?? 0));
      const all = [textRow('all', pages), { name: 'mean of kinds', count: rows.length, figures: { F1: kinds } }];
      return {
        set: 'wcxb',
        note: 'words of the main text; the content model was trained on these pages: see its two-fold report',
        rows: [...rows, ...all],
      };
    },
  };
}

function textRow(name: string, pages: readonly ScoredPage[]): Row {
  const figures = {
    F1: mean(pages.map(({ f1 }) => f1)),
    precision: mean(pages.map(({ precision }) => precision)),
    recall: mean(pages.map(({ recall }) => recall)),
    must: mean(pages.map(({ must }) => must)),
    'must-not': mean(pages.map(({ mustNot }) => mustNot)),
  };
  return { name, count: pages.length, figures };
}

/** Segments that must and must not appear, over all pages together. */
export function scoreSegments(): Scorer<ArticleRecord> {
  const counts = { pages: 0, found: 0, missed: 0, unwanted: 0 };
  return {
    add({ with: wanted, without }, { fields }) {
      if (!wanted || !without) return;
      const content = fields.get('Content')?.[0] ?? '';
      const found = segmentsIn(content, wanted);
      counts.pages++;
      counts.found += found;
      counts.missed += wanted.length - found;
      counts.unwanted += segmentsIn(content, without);
    },
    report() {
      const { pages, found, missed, unwanted } = counts;
      const precision = found / Math.max(1, found + unwanted);
      const recall = found / Math.max(1, found + missed);
      return {
        set: 'articles',
        note: 'segments of article pages; the content model was trained on them: see its two-fold report',
        rows: [{ name: 'segments', count: pages, figures: { F: f1Of(precision, recall), precision, recall } }],
      };
    },
  };
}
