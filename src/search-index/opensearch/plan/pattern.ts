import { editDistance } from '../../../core/compare-text.ts';
import { foldWord } from '../../../text/folding.ts';
import { MAX_EXPANSIONS, type PatternNode } from '../../query-plan.ts';
import { DISTANCE_WEIGHTS, idf, patternTf } from '../../relevance.ts';
import type { Json } from '../connection.ts';
import { escapeRegex } from '../edit-patterns.ts';
import type { Engine } from '../engine.ts';
import {
  countSurfaces,
  fuzzySurfaces,
  SEARCHED_TEXT,
  type SurfaceField,
  surfaceBuckets,
  surfacesQuery,
} from '../fuzzy-terms.ts';
import { encodeName, OF_FIELD } from '../index-layout.ts';
import { formScore, type Scoring } from './scripts.ts';
import { anyOf, NOTHING } from './word-lists.ts';

/** Folded forms that a pattern stands for, those of most documents first, with their edits. */
export type Expansion = ReadonlyMap<string, number>;

export async function expandPattern(engine: Engine, node: PatternNode): Promise<Expansion> {
  const field = surfaceFieldOf(node.field);
  if (node.kind !== 'fuzzy') {
    const include =
      escapeRegex(field.prefix) + (node.kind === 'prefix' ? `${escapeRegex(node.pattern)}.*` : regexOf(node.pattern));
    const matching = {
      prefix: { [field.name]: node.kind === 'prefix' ? field.prefix + node.pattern : headOf(node.pattern, field) },
    };
    const found = await surfaceBuckets(engine, matching, { field: field.name, include, size: MAX_EXPANSIONS });
    return new Map(found.map(({ key }) => [key.slice(field.prefix.length), 0]));
  }
  const asked = foldWord(node.text);
  const counts = await countSurfaces(engine, field, await fuzzySurfaces(engine, field, asked, node.distance));
  return new Map([...counts.keys()].slice(0, MAX_EXPANSIONS).map((text) => [text, editDistance(asked, text)]));
}

/** What a wildcard begins with, up to its first sign. */
function headOf(pattern: string, { prefix }: SurfaceField): string {
  return prefix + (/^[^*?\\]*/u.exec(pattern)?.[0] ?? '');
}

function regexOf(pattern: string): string {
  return pattern.replace(/\\(.)|([\s\S])/gsu, (_whole, escaped?: string, plain?: string) => {
    if (plain === '*') return '.*';
    return plain === '?' ? '.' : escapeRegex(escaped ?? plain ?? '');
  });
}

/** Where the forms of a field lie; of `Content` those of class C, which are all that are searched. */
function surfaceFieldOf(field: string | undefined): SurfaceField {
  if (field === undefined) return SEARCHED_TEXT;
  return field === 'Content'
    ? { name: 'body', prefix: OF_FIELD }
    : { name: 'namedSurfaces', prefix: encodeName(field) + OF_FIELD };
}

export function patternQuery(node: PatternNode, expansion: Expansion): Json {
  return formsQuery(surfaceFieldOf(node.field), [...expansion.keys()]);
}

function formsQuery(field: SurfaceField, forms: readonly string[]): Json {
  return forms.length === 0 ? NOTHING : surfacesQuery(field, forms);
}

/** The forms of one distance count together: in the title when any of them is; the best distance counts. */
export function patternScore(
  node: PatternNode,
  { expansion, documents }: { readonly expansion: Expansion; readonly documents: number },
  scoring: Scoring,
): Json {
  const field = surfaceFieldOf(node.field);
  const weight = idf(scoring.generation.documents, documents) * node.boost;
  const branches = DISTANCE_WEIGHTS.flatMap((factor, distance) => {
    const forms = [...expansion].filter(([, edits]) => edits === distance).map(([form]) => form);
    if (forms.length === 0) return [];
    const matching = formsQuery(field, forms);
    const titled = titledQuery(node.field, forms);
    const inText = { bool: { filter: [matching], must_not: [titled] } };
    return [
      formScore({ bool: { filter: [matching, titled] } }, patternTf(true), scoring, { weight, factor }),
      formScore(inText, patternTf(false), scoring, { weight, factor }),
    ];
  });
  return branches.length === 0 ? NOTHING : { dis_max: { queries: branches } };
}

/** Among values of a field other than `Title` none is a title. */
function titledQuery(field: string | undefined, forms: readonly string[]): Json {
  return field === undefined || field === 'Title' ? anyOf([{ terms: { titled: forms } }]) : NOTHING;
}
