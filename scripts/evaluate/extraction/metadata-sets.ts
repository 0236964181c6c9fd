import type { Extraction } from '../../../src/extract/extraction.ts';
import { f1Of, isSameTitle } from '../text-metrics.ts';
import type { Scorer } from './main-text-sets.ts';
import type { ArticleRecord, WcxbRecord } from './page-records.ts';
import { FOLDS, type Fold, foldOf, type PackRecord } from './read-pack.ts';
import type { Row, SetReport } from './set-report.ts';

/** A value of a page that is not what the label says; of the tuning fold only, the other is not looked at. */
export type Miss = {
  readonly url: string;
  readonly found: string;
  readonly wanted: string;
  readonly source: string | undefined;
};
export type MissReporter = (miss: Miss) => void;

type Verdict = 'right' | 'wrong' | 'none';
type Judged = { readonly fold: Fold; readonly verdict: Verdict };

/** Titles, equal after folding case, blanks and quotation marks. */
export function scoreTitles(onMiss: MissReporter): Scorer<WcxbRecord> {
  const judged: Judged[] = [];
  return {
    add(record, extraction) {
      const wanted = record.truth.ground_truth.title;
      if (!wanted) return;
      judged.push(judge(record, { extraction, field: 'Title', wanted, isRight: isSameTitle, onMiss }));
    },
    report: () => ({
      set: 'titles',
      note: 'exact titles of the wcxb pages; the content model saw these pages, the title rules the tuning half alone',
      rows: byFold(judged, 'titles', ({ exact }) => ({ exact })),
    }),
  };
}

/** All authors together, by their words in any order: sites turn names around. */
export function scoreAuthors(onMiss: MissReporter): Scorer<WcxbRecord> {
  const judged: Judged[] = [];
  let unsigned = 0;
  let invented = 0;
  return {
    add(record, extraction) {
      const wanted = record.truth.ground_truth.author;
      if (wanted) {
        judged.push(judge(record, { extraction, field: 'Author', wanted, isRight: isSameName, onMiss }));
        return;
      }
      unsigned++;
      if (extraction.fields.has('Author')) invented++;
    },
    report: () => ({
      set: 'authors',
      note: 'authors of the wcxb pages; many labels are missing or drafts',
      rows: [
        ...byFold(judged, 'authors', ({ f, exact }) => ({ F: f, accuracy: exact })),
        { name: 'without author', count: unsigned, figures: { invented: invented / Math.max(1, unsigned) } },
      ],
    }),
  };
}

/** Days of publication: of pages that have one, and how many pages without are given one. */
export function scoreDates(onMiss: MissReporter): {
  readonly articles: Scorer<ArticleRecord>;
  readonly wcxb: Scorer<WcxbRecord>;
} {
  const [articles, wcxb, undated]: [Judged[], Judged[], Judged[]] = [[], [], []];
  const report = () => datesReport({ articles, wcxb, undated });
  const judgeDay = (record: PackRecord, extraction: Extraction, wanted: string) =>
    judge(record, { extraction, field: 'Date', wanted: wanted.slice(0, 10), isRight: isSameDay, onMiss });
  return {
    articles: {
      add(record, extraction) {
        if (record.date) articles.push(judgeDay(record, extraction, record.date));
      },
      report,
    },
    wcxb: {
      add(record, extraction) {
        const wanted = record.truth.ground_truth.publish_date;
        if (wanted) wcxb.push(judgeDay(record, extraction, wanted));
        else undated.push(judgeDay(record, extraction, ''));
      },
      report,
    },
  };
}

function datesReport({ articles, wcxb, undated }: Record<'articles' | 'wcxb' | 'undated', Judged[]>): SetReport {
  const figures = ({ f, exact }: Shares) => ({ F: f, accuracy: exact });
  const rows = [...byFold(articles, 'articles', figures), ...byFold(wcxb, 'wcxb, dated', figures)];
  const given = byFold(undated, 'wcxb, undated', ({ given: invented }) => ({ invented }));
  return {
    set: 'dates',
    note: 'days of publication; rules were fitted on the pages of the tuning half of the hosts',
    rows: [...rows, ...given],
  };
}

type Judging = {
  readonly extraction: Extraction;
  readonly field: string;
  /** `''`: the page has none. */
  readonly wanted: string;
  readonly isRight: (found: string, wanted: string) => boolean;
  readonly onMiss: MissReporter;
};

function judge(record: PackRecord, { extraction, field, wanted, isRight, onMiss }: Judging): Judged {
  const found = extraction.fields.get(field)?.join(', ') ?? '';
  const verdict = found === '' ? 'none' : isRight(found, wanted) ? 'right' : 'wrong';
  const fold = foldOf(record);
  const isMiss = wanted === '' ? verdict !== 'none' : verdict !== 'right';
  if (isMiss && fold === 'tuning') onMiss({ url: record.url, found, wanted, source: extraction.trace.sources[field] });
  return { fold, verdict };
}

function isSameDay(found: string, wanted: string): boolean {
  return wanted !== '' && found.slice(0, 10) === wanted;
}

function isSameName(found: string, wanted: string): boolean {
  const wordsOf = (text: string) =>
    (text.toLowerCase().match(/\p{L}+/gu) ?? [])
      .filter((word) => word !== 'and')
      .sort()
      .join(' ');
  return wordsOf(found) === wordsOf(wanted);
}

type Shares = {
  /** Of the pages with a value and the pages with a label. */
  readonly f: number;
  readonly exact: number;
  /** Of all pages, right or not. */
  readonly given: number;
};

/** One row per fold and one for both. */
function byFold(
  judged: readonly Judged[],
  name: string,
  figuresOf: (shares: Shares) => Readonly<Record<string, number>>,
): readonly Row[] {
  const row = (own: readonly Judged[], label: string) => ({
    name: label,
    count: own.length,
    figures: figuresOf(sharesOf(own)),
  });
  const folds = FOLDS.map((fold) =>
    row(
      judged.filter((page) => page.fold === fold),
      `${name}, ${fold}`,
    ),
  );
  return [...folds, row(judged, name)];
}

function sharesOf(judged: readonly Judged[]): Shares {
  const count = (wanted: Verdict) => judged.filter(({ verdict }) => verdict === wanted).length;
  const [right, wrong, none] = [count('right'), count('wrong'), count('none')];
  const precision = right / Math.max(1, right + wrong);
  const recall = right / Math.max(1, right + none);
  const all = Math.max(1, judged.length);
  return { f: f1Of(precision, recall), exact: right / all, given: (right + wrong) / all };
}
