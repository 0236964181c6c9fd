import { BLOCK_FEATURES, containerRows, type FeatureGroup } from './block-features.ts';
import { orderBlocks } from './block-order.ts';
import { type BlockStructure, placesOf } from './block-structure.ts';
import type { TextBlock } from './blocks.ts';
import { CONTEXT_FEATURES } from './context-features.ts';
import { measurePage } from './dom-table.ts';
import { readHeadings } from './heading-context.ts';
import { metaOf } from './page-facts.ts';
import { PAGE_FEATURES, type PageSource, readPageFeatures } from './page-features.ts';
import type { DataItem } from './structured-data.ts';
import type { ReferenceTexts } from './text-measures.ts';

const GROUPS: readonly FeatureGroup[] = [...BLOCK_FEATURES, ...CONTEXT_FEATURES];

/** Names of the columns, in order; a part of every model file. */
export const FEATURES: readonly string[] = [...GROUPS.flatMap(({ names }) => names), ...PAGE_FEATURES];

/** Writes the row of one block. */
export type FeatureWriter = (row: Float32Array, at: number, block: number) => void;

export type MeasuredBlocks = { readonly write: FeatureWriter; readonly places: BlockStructure };

/** Measures the page once; rows are then written one by one. */
export function readFeatures(blocks: readonly TextBlock[], source: PageSource): MeasuredBlocks {
  const shape = measurePage(blocks, { images: source.facts.images, references: referencesOf(source) });
  const context = readHeadings(shape);
  const order = orderBlocks(shape);
  const input = { shape, order, context, containerRows: containerRows(shape), block: 0 };
  const page = readPageFeatures(shape, context, source);
  const write: FeatureWriter = (row, from, block) => {
    input.block = block;
    let at = from;
    for (const group of GROUPS) {
      group.write(row, at, input);
      at += group.names.length;
    }
    row.set(page, at);
  };
  return { write, places: placesOf(shape, order, context) };
}

const MAIN_MEMBERS = new Set(['description', 'articleBody', 'text', 'headline', 'name']);
const OPINION_TYPES = /^(?:Review|Comment|UserReview|Rating)$/;

function referencesOf({ facts, items }: PageSource): ReferenceTexts {
  const data = { main: [] as string[], opinions: [] as string[], other: [] as string[] };
  for (const item of items) {
    const isOpinion = item.types.some((type) => OPINION_TYPES.test(type));
    for (const [member, text] of textMembers(item)) {
      data[isOpinion ? 'opinions' : MAIN_MEMBERS.has(member) ? 'main' : 'other'].push(text);
    }
  }
  return { title: facts.title, description: metaOf(facts, 'description', 'og:description'), data };
}

/** Shorter values are names and codes. */
const MIN_TEXT_CHARS = 12;

function textMembers({ data }: DataItem): readonly (readonly [string, string])[] {
  const members: (readonly [string, string])[] = [];
  for (const [member, value] of Object.entries(data)) {
    if (typeof value === 'string' && value.length >= MIN_TEXT_CHARS && !value.startsWith('http')) {
      members.push([member, value]);
    }
  }
  return members;
}
