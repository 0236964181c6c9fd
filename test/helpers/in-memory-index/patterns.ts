import { compareCodePoints } from '../../../src/core/compare-text.ts';
import { type FilterNode, matchesFilter, type TypeOfField } from '../../../src/core/filters.ts';
import { MAX_EXPANSIONS, type PatternNode } from '../../../src/search-index/query-plan.ts';
import { textClassOf } from '../../../src/search-index/relevance.ts';
import { foldWord } from '../../../src/text/folding.ts';
import { editDistance } from './edit-distance.ts';
import type { IndexedDocument, Run } from './indexed-document.ts';

/** What nodes mean that need to know the whole engine. */
export type MatchContext = {
  passes(document: IndexedDocument, filter: FilterNode): boolean;
  /** Surfaces that a pattern stands for, each with its edits. */
  surfacesOf(node: PatternNode): ReadonlyMap<string, number>;
};

export function createContext(live: readonly IndexedDocument[], typeOf: TypeOfField): MatchContext {
  const known = new Map<PatternNode, ReadonlyMap<string, number>>();
  return {
    passes: ({ document }, filter) => matchesFilter(document, filter, typeOf),
    surfacesOf(node) {
      const surfaces = known.get(node) ?? expand(live, node);
      known.set(node, surfaces);
      return surfaces;
    },
  };
}

/** Values that a pattern looks at: of title and content those that are searched, of any other field all. */
export function patternRuns({ runs }: IndexedDocument, field: string | undefined): readonly Run[] {
  if (field === undefined) return runs.filter(({ textClass }) => textClass !== 'none');
  const searchedOnly = ['a', 'c'].includes(textClassOf(field));
  return runs.filter((run) => run.field === field && (!searchedOnly || run.textClass !== 'none'));
}

export function surfacesIn(runs: readonly Run[]): ReadonlySet<string> {
  return new Set(runs.flatMap(({ tokens }) => tokens.map(({ surface }) => foldWord(surface))));
}

/** The surfaces that fit, of too many those in most documents. */
function expand(live: readonly IndexedDocument[], node: PatternNode): ReadonlyMap<string, number> {
  const documentsBySurface = new Map<string, number>();
  for (const document of live) {
    for (const surface of surfacesIn(patternRuns(document, node.field))) {
      documentsBySurface.set(surface, (documentsBySurface.get(surface) ?? 0) + 1);
    }
  }
  const distanceOf = distanceTest(node);
  const fitting = [...documentsBySurface].filter(([surface]) => distanceOf(surface) !== undefined);
  const ordered = fitting.sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b));
  return new Map(ordered.slice(0, MAX_EXPANSIONS).map(([surface]) => [surface, distanceOf(surface) ?? 0]));
}

/** Edits between a surface and the pattern; undefined = it does not fit. */
function distanceTest(node: PatternNode): (surface: string) => number | undefined {
  if (node.kind === 'fuzzy') {
    const asked = foldWord(node.text);
    return (surface) => {
      const distance = editDistance(asked, surface);
      return distance <= node.distance ? distance : undefined;
    };
  }
  if (node.kind === 'prefix') return (surface) => (surface.startsWith(node.pattern) ? 0 : undefined);
  const source = node.pattern.replace(/\\(.)|([\s\S])/gsu, (_whole, escaped?: string, plain?: string) => {
    if (plain === '*') return '.*';
    return plain === '?' ? '.' : RegExp.escape(escaped ?? plain ?? '');
  });
  const test = new RegExp(`^(?:${source})$`, 'su');
  return (surface) => (test.test(surface) ? 0 : undefined);
}
