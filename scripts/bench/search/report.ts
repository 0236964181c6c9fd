/** Median CPU milliseconds of one engine in one class; undefined = it cannot do the class, or failed in it. */
export type ClassFigure = { readonly cpuMs: number; readonly meanTotal: number } | undefined;

export type SearchCounters = {
  readonly documents: number;
  readonly engines: readonly EngineFigures[];
  /** Class → engine → figure. */
  readonly classes: Readonly<Record<string, Readonly<Record<string, ClassFigure>>>>;
};

export type EngineFigures = {
  readonly name: string;
  readonly buildCpuMs: number;
  readonly buildWallMs: number;
  readonly bytes: number;
  readonly residentMb: number;
  /** Milliseconds to open the index in a fresh process up to the first answer; undefined = not measured. */
  readonly openMs: number | undefined;
  readonly failure: string | undefined;
};

const OWN = 'fossick';
/** The engine that others are built on has a bar of its own. */
const LUCENE = 'lucene';

type FiguresOfClass = Readonly<Record<string, ClassFigure>>;

/** Times that the cheapest peer's CPU is of ours in a class, Lucene apart; undefined without a peer. */
export function ratioOf(figures: FiguresOfClass): number | undefined {
  const own = figures[OWN];
  const peers = Object.entries(figures).flatMap(([name, figure]) =>
    name === OWN || name.startsWith(LUCENE) || figure === undefined ? [] : [figure.cpuMs],
  );
  return own === undefined || peers.length === 0 ? undefined : Math.min(...peers) / own.cpuMs;
}

/** Median over the classes of `ratioOf`. */
export function medianRatio({ classes }: SearchCounters): number {
  return median(Object.values(classes).flatMap((figures) => ratioOf(figures) ?? []));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** Our CPU in a class as a multiple of that of Lucene, which does the same work; undefined without it. */
export function multipleOfLucene({ [OWN]: own, [LUCENE]: lucene }: FiguresOfClass): number | undefined {
  return own === undefined || lucene === undefined ? undefined : own.cpuMs / lucene.cpuMs;
}

/** Median and most over the classes of `multipleOfLucene`; undefined without Lucene. */
export function multiplesOfLucene({ classes }: SearchCounters): { median: number; most: number } | undefined {
  const multiples = Object.values(classes).flatMap((figures) => multipleOfLucene(figures) ?? []);
  return multiples.length === 0 ? undefined : { median: median(multiples), most: Math.max(...multiples) };
}

/** The figures as Markdown tables. */
export function markdownOf(figures: SearchCounters): string {
  return [...classTable(figures), '', ...engineTable(figures)].join('\n');
}

function classTable(all: SearchCounters): string[] {
  const { engines, classes, documents } = all;
  const names = engines.map(({ name }) => name);
  const head = ['CPU ms per query (matches)', ...names, 'ratio', 'of Lucene'];
  const rows = Object.entries(classes).map(([className, figures]) => {
    const matches = Math.round(figures[OWN]?.meanTotal ?? 0).toLocaleString('en');
    const ratios = [times(ratioOf(figures)), times(multipleOfLucene(figures), 2)];
    return [`${className} (${matches})`, ...names.map((name) => millis(figures[name])), ...ratios];
  });
  return [
    `${documents.toLocaleString('en')} documents`,
    '',
    row(head),
    row(head.map(() => '---')),
    ...rows.map(row),
    row(['**median**', ...names.map(() => ''), times(medianRatio(all)), times(multiplesOfLucene(all)?.median, 2)]),
  ];
}

function engineTable({ engines, documents }: SearchCounters): string[] {
  const head = ['Engine', 'documents built per CPU second', 'MB on disk', 'MB resident', 'opening, ms'];
  const rows = engines.map(({ name, buildCpuMs, bytes, residentMb, openMs, failure }) => [
    failure === undefined ? name : `${name}: ${failure}`,
    ((documents / buildCpuMs) * 1_000).toFixed(0),
    bytes === 0 ? 'in memory' : (bytes / 1e6).toFixed(0),
    residentMb.toFixed(0),
    openMs === undefined ? '–' : openMs.toFixed(0),
  ]);
  return [row(head), row(head.map(() => '---')), ...rows.map(row)];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function millis(figure: ClassFigure): string {
  return figure === undefined ? '–' : figure.cpuMs.toFixed(2);
}

function times(ratio: number | undefined, digits = 1): string {
  return ratio === undefined || Number.isNaN(ratio) ? '–' : `${ratio.toFixed(digits)} ×`;
}
