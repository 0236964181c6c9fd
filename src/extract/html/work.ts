import { EXTRACT_LIMITS } from '../extract-limits.ts';

/**
 * What the passes that an operator asks for may still cost on one page. A count and no clock, so that the same page
 * gives the same result.
 */
export type PageWork = {
  /** Takes a number of visits of nodes; false when they are used up, and for ever after. */
  visit(nodes: number): boolean;
  /** Takes input of a regular expression, in characters. */
  match(chars: number): boolean;
  /** What was cut, for the trace. */
  readonly notes: () => readonly string[];
};

export function openWork(): PageWork {
  let visits: number = EXTRACT_LIMITS.ruleVisits;
  let chars: number = EXTRACT_LIMITS.patternChars;
  let [isVisitsSpent, isCharsSpent] = [false, false];
  return {
    visit: (nodes) => {
      visits -= nodes;
      isVisitsSpent ||= visits < 0;
      return !isVisitsSpent;
    },
    match: (length) => {
      chars -= length;
      isCharsSpent ||= chars < 0;
      return !isCharsSpent;
    },
    notes: () => [...(isVisitsSpent ? ['work limit'] : []), ...(isCharsSpent ? ['pattern limit'] : [])],
  };
}
