/** Lanes of a stage at most, and fetches at once that one lane keeps under way (crawling 11). */
const MOST_LANES = 4;
const FETCHES_PER_LANE = 8;

/** How many lanes the work of a crawler is worth, by the slots that its hosts with due rows bear. */
export function lanesFor(slotsOfHosts: readonly number[]): number {
  const slots = slotsOfHosts.reduce((sum, each) => sum + each, 0);
  return Math.min(MOST_LANES, Math.max(1, Math.ceil(slots / FETCHES_PER_LANE)));
}
