import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { decodeText } from '../../src/extract/charset.ts';
import { readMarks } from '../../src/extract/html/block-rules.ts';
import { collectBlocks, type TextBlock } from '../../src/extract/html/blocks.ts';
import { type BlockStructure, FEATURES, readFeatures } from '../../src/extract/html/features.ts';
import { collectFacts } from '../../src/extract/html/page-facts.ts';
import { type PageElement, parsePage } from '../../src/extract/html/page-tree.ts';
import { readJsonLd } from '../../src/extract/html/structured-data.ts';
import { ARTICLE_RECORD, urlOf, WCXB_RECORD } from '../evaluate/extraction/page-records.ts';
import {
  bytesOf,
  foldOf,
  hostNumber,
  PACK_RECORD,
  type PackRecord,
  readPack,
} from '../evaluate/extraction/read-pack.ts';
import { wordsOf } from '../evaluate/text-metrics.ts';
import { alignBlocks } from './label-blocks.ts';

/** A labelled page without its tree. */
export type TrainingPage = {
  readonly kind: string;
  readonly fold: 0 | 1;
  /** A number of the host, 0 to 255: pages of one host have the same. */
  readonly host: number;
  /** Their elements keep nothing but what makes them the same or another. */
  readonly blocks: readonly TextBlock[];
  /** Share of each block that is main text; -1 where nobody knows. */
  readonly shares: readonly number[];
  /** One row of `FEATURES` per block. */
  readonly rows: Float32Array;
  readonly places: BlockStructure;
  readonly truth: PageTruth;
};

export type PageTruth =
  | { readonly text: string; readonly must: readonly string[]; readonly mustNot: readonly string[] }
  | { readonly segments: readonly string[]; readonly unwanted: readonly string[] };

/** Own labelled pages. */
const OWN_RECORD = PACK_RECORD.extend({
  truth: z.object({
    kind: z.string().optional(),
    ground_truth: z.object({ main_content: z.string() }),
  }),
});

/** Pages of the packs `wcxb-dev` and `articles`, or else of all `*.jsonl` files of the folder. */
export function* readTrainingPages(folder: string): Generator<TrainingPage> {
  const files = readdirSync(folder).sort();
  const own = files.filter((file) => file.endsWith('.jsonl'));
  for (const file of own) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    for (const line of lines) if (line !== '') yield ownPage(OWN_RECORD.parse(JSON.parse(line)));
  }
  if (files.some((file) => file.startsWith('wcxb-dev-'))) yield* labelledPages(folder);
  if (files.some((file) => file.startsWith('articles-'))) yield* segmentPages(folder);
}

function ownPage(record: z.infer<typeof OWN_RECORD>): TrainingPage {
  const { kind = 'own', ground_truth: truth } = record.truth;
  return textPage(record, kind, { text: truth.main_content, must: [], mustNot: [] });
}

function* labelledPages(folder: string): Generator<TrainingPage> {
  for (const record of readPack(folder, 'wcxb-dev', WCXB_RECORD)) {
    const { main_content: text, with: must, without: mustNot } = record.truth.ground_truth;
    const { primary } = record.truth._internal.page_type;
    const kind = primary === 'category' ? 'collection' : primary;
    yield textPage(record, kind, { text: text ?? '', must: must ?? [], mustNot: mustNot ?? [] });
  }
}

function textPage(record: PackRecord, kind: string, truth: Extract<PageTruth, { text: string }>): TrainingPage {
  const page = readPage(record);
  const texts = page.blocks.map(({ text }) => text);
  return { ...page, kind, truth, shares: alignBlocks(texts, truth.text) };
}

/** Only the blocks that hold a wanted or unwanted segment are known. */
function* segmentPages(folder: string): Generator<TrainingPage> {
  for (const record of readPack(folder, 'articles', ARTICLE_RECORD)) {
    if (!record.with || !record.without) continue;
    const truth = { segments: record.with.map(fold), unwanted: record.without.map(fold) };
    const page = readPage({ ...record, url: urlOf(record) });
    const shares = page.blocks.map(({ text }) => {
      const folded = fold(text);
      if (truth.segments.some((segment) => folded.includes(segment))) return 1;
      return truth.unwanted.some((segment) => folded.includes(segment)) ? 0 : -1;
    });
    yield { ...page, ...foldsOf(record), kind: 'segments', truth, shares };
  }
}

function fold(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

function foldsOf(record: PackRecord): Pick<TrainingPage, 'fold' | 'host'> {
  return { fold: foldOf(record) === 'tuning' ? 0 : 1, host: hostNumber(record) };
}

function readPage(record: PackRecord): Pick<TrainingPage, 'blocks' | 'rows' | 'places' | 'fold' | 'host'> {
  const tree = parsePage(decodeText(bytesOf(record), 'text/html').text);
  const facts = collectFacts(tree, record.url);
  const { blocks } = collectBlocks(tree, readMarks);
  const { write, places } = readFeatures(blocks, { url: record.url, facts, items: readJsonLd(facts.jsonLd) });
  const rows = new Float32Array(blocks.length * FEATURES.length);
  for (let at = 0; at < blocks.length; at++) write(rows, at * FEATURES.length, at);
  return { blocks: detach(blocks), rows, places, ...foldsOf(record) };
}

/** Copies that hold neither the tree nor the source of the page in memory. */
function detach(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const stubs = new Map<PageElement, PageElement>();
  const stubOf = (element: PageElement): PageElement => {
    const known = stubs.get(element);
    const stub = known ?? { name: element.name, attributes: {}, children: [], parent: undefined, attributeBits: 0 };
    stubs.set(element, stub);
    return stub;
  };
  return blocks.map((block) => ({
    ...block,
    text: Buffer.from(block.text).toString(),
    element: stubOf(block.element),
    origin: stubOf(block.origin),
    group: block.group === undefined ? undefined : stubOf(block.group),
  }));
}

/** Weight of a page's blocks: every page counts about the same, every block by its words. */
export function blockWeights({ blocks, truth }: TrainingPage): readonly number[] {
  if (!('text' in truth)) return [];
  const words = blocks.reduce((sum, block) => sum + block.words, 0);
  const size = Math.min(wordsOf(truth.text).length, words) + SMOOTHING_WORDS;
  return blocks.map((block) => Math.min((block.words + 0.5) / size, 1));
}

/** Keeps the blocks of pages with a few words from counting most. */
const SMOOTHING_WORDS = 60;
