/**
 * What a plan costs, by the part of it that causes the cost: estimated nanoseconds of processor time, known before it
 * runs. `hits` is the page: its order, reading its documents, and what is made of them (`QueryPlan.output`).
 */
export type PlanCost = {
  readonly match: number;
  readonly filter: number;
  readonly postFilter: number;
  readonly boosts: number;
  readonly facets: number;
  readonly ranges: number;
  readonly topHits: number;
  readonly sort: number;
  readonly hits: number;
};

export type PlanPart = keyof PlanCost;

/** What the caller makes of the hits, which is part of what a search costs. */
export type PlanOutput = {
  /** Fields of a document that are returned; empty = all of them. */
  readonly fields: readonly string[];
  readonly highlight: boolean;
};

export function totalCost(cost: PlanCost): number {
  return Object.values(cost).reduce((sum, own) => sum + own, 0);
}

/** The part that costs most. */
export function dearestPart(cost: PlanCost): PlanPart {
  const parts = Object.keys(cost) as PlanPart[];
  return parts.reduce((dearest, part) => (cost[part] > cost[dearest] ? part : dearest));
}
