import type { Passage, PassageSentence } from '../../search/passage.ts';
import { hasDependentOpener } from '../../text/dependent-openers.ts';
import { endsSentence } from '../../text/sentences.ts';

/**
 * What is quoted as one: a sentence or two in a row, an item of a list, a row of a table or lines of code, with what it is not understood
 * without; or a list or a table as a whole.
 */
export type AnswerBlock = {
  readonly kind: BlockKind;
  /** Indexes of its sentences in the passage, rising. */
  readonly sentences: readonly number[];
  /** Those that only introduce the others: a lead-in, the names of columns, the sentence that another one leans on. */
  readonly leadIns: readonly number[];
};

export const BLOCK_KINDS = ['sentence', 'pair', 'item', 'list', 'row', 'table', 'code'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** Longer lists, tables and listings are quoted item by item, row by row and line by line alone. */
const MOST_ITEMS = 12;
const MOST_CHARS = 1_200;
/** What is said of a longer list behind the sentence that introduces it. */
const FIRST_ITEMS = 5;
/** Longer sentences stand alone. */
const MOST_PAIR_CHARS = 400;
/** Rows of more cells say little without the names of their columns. */
const PLAIN_CELLS = 2;
const NAME_CHARS = 40;
const INTRO_END = /[:：]["'”’»)\]]*$/u;

/** The blocks of a passage, in its order; each sentence is in one at least. O(sentences). */
export function blocksOf(passage: Passage): readonly AnswerBlock[] {
  const runs = [...Map.groupBy(passage.sentences.keys(), (at) => passage.sentences[at]?.block ?? 0).values()];
  return runs.flatMap((run) => BLOCKS_OF[kindOf(passage, run)](passage, run));
}

type Run = readonly number[];
type BlocksOfRun = (passage: Passage, run: Run) => readonly AnswerBlock[];

const BLOCKS_OF: Readonly<Record<PassageSentence['kind'], BlocksOfRun>> = {
  paragraph: sentenceBlocks,
  quote: sentenceBlocks,
  list: listBlocks,
  table: tableBlocks,
  code: codeBlocks,
};

function kindOf({ sentences }: Passage, [first = 0]: Run): PassageSentence['kind'] {
  return sentences[first]?.kind ?? 'paragraph';
}

/**
 * Each sentence behind what it leans on, and with the one that goes on with it. One that introduces what stands below it
 * is said with that.
 */
function sentenceBlocks(passage: Passage, run: Run): readonly AnswerBlock[] {
  const introduces = (at: number) => {
    const next = passage.sentences[at + 1];
    return next !== undefined && !isProse(next) && INTRO_END.test(passage.sentences[at]?.text ?? '');
  };
  return run.flatMap((at): readonly AnswerBlock[] => {
    if (introduces(at)) return [];
    const text = passage.sentences[at]?.text ?? '';
    const leans = at > 0 && hasDependentOpener(text, passage.language) && isProse(passage.sentences[at - 1]);
    const leadIns = leans ? [at - 1] : [];
    const one: AnswerBlock = { ...withLeadIns(leadIns, [at]), kind: 'sentence' };
    const goesOn =
      run.includes(at + 1) &&
      !introduces(at + 1) &&
      text.length + (passage.sentences[at + 1]?.text.length ?? 0) <= MOST_PAIR_CHARS;
    return goesOn ? [one, { ...withLeadIns(leadIns, [at, at + 1]), kind: 'pair' }] : [one];
  });
}

/** An item with all its sentences; one without a full stop behind the lead-in. */
function listBlocks(passage: Passage, run: Run): readonly AnswerBlock[] {
  const intro = introOf(passage, run);
  const items = linesOf(passage, run).map((item): AnswerBlock => {
    const isWhole = endsSentence(passage.sentences[item.at(-1) ?? 0]?.text ?? '');
    return isWhole ? { kind: 'item', sentences: item, leadIns: [] } : { ...withLeadIns(intro, item), kind: 'item' };
  });
  const own = fits(passage, run)
    ? run
    : linesOf(passage, run)
        .slice(0, intro.length > 0 ? FIRST_ITEMS : 0)
        .flat();
  if (items.length < 2 || own.length === 0) return items;
  return [{ ...withLeadIns(intro, own), kind: 'list' }, ...items];
}

/** A row below the names of its columns. */
function tableBlocks(passage: Passage, run: Run): readonly AnswerBlock[] {
  const rows = linesOf(passage, run);
  const [header, ...body] = rows;
  const isNamed = header !== undefined && body.length > 0 && hasColumnNames(passage, header, body);
  const names = isNamed ? header : [];
  const blocks = (isNamed ? body : rows).map((row): AnswerBlock => ({ ...withLeadIns(names, row), kind: 'row' }));
  if (blocks.length < 2 || !fits(passage, run)) return blocks;
  const leadIns = [...introOf(passage, run), ...names];
  const own = run.filter((at) => !names.includes(at));
  return [{ ...withLeadIns(leadIns, own), kind: 'table' }, ...blocks];
}

/** Whether the first row names the columns: more than two short texts, as many as the row below has. */
function hasColumnNames(passage: Passage, header: Run, [row]: readonly Run[]): boolean {
  const cells = cellsOf(passage, header);
  const areNames = cells.every((cell) => mayNameColumn(cell) && !/[.!?]$/.test(cell));
  return areNames && cells.length > PLAIN_CELLS && cells.length === cellsOf(passage, row ?? []).length;
}

/** A long text or a number is what a row says: the passage begins in the middle of the table. */
export function mayNameColumn(cell: string): boolean {
  return cell.length <= NAME_CHARS && !/^\p{N}/u.test(cell);
}

function cellsOf({ sentences }: Passage, [at]: Run): readonly string[] {
  return at === undefined ? [] : (sentences[at]?.text.split(' | ') ?? []);
}

/** The listing behind the sentence before it. */
function codeBlocks(passage: Passage, run: Run): readonly AnswerBlock[] {
  const before = (run[0] ?? 0) - 1;
  const intro = isProse(passage.sentences[before]) ? [before] : [];
  if (fits(passage, run)) return [{ ...withLeadIns(intro, run), kind: 'code' }];
  return run.map((at): AnswerBlock => ({ kind: 'code', sentences: [at], leadIns: [] }));
}

function withLeadIns(leadIns: Run, own: Run): Pick<AnswerBlock, 'sentences' | 'leadIns'> {
  return { sentences: [...leadIns, ...own], leadIns };
}

/** The sentence right before a list or table that ends in a colon. */
function introOf({ sentences }: Passage, [first = 0]: Run): Run {
  const before = sentences[first - 1];
  return before !== undefined && isProse(before) && INTRO_END.test(before.text) ? [first - 1] : [];
}

function linesOf({ sentences }: Passage, run: Run): readonly Run[] {
  const lines: number[][] = [];
  for (const at of run) {
    const last = lines.at(-1);
    if (last === undefined || sentences[at]?.startsLine === true) lines.push([at]);
    else last.push(at);
  }
  return lines;
}

function fits(passage: Passage, run: Run): boolean {
  const chars = run.reduce((sum, at) => sum + (passage.sentences[at]?.text.length ?? 0), 0);
  return linesOf(passage, run).length <= MOST_ITEMS && chars <= MOST_CHARS;
}

function isProse(sentence: PassageSentence | undefined): boolean {
  return sentence !== undefined && (sentence.kind === 'paragraph' || sentence.kind === 'quote');
}
