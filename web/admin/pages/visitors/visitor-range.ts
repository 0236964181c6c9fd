import { useQueryState } from '../../client/query-state.ts';

export const DEVICES = ['desktop', 'mobile', 'tablet', 'unknown'] as const;

const DAY_MS = 86_400_000;

/** The days and the device that the figures are of, as the address says them; nothing: the last 30 days, all devices. */
export function useVisitorRange() {
  const { query } = useQueryState();
  return {
    from: query['from'],
    to: query['to'],
    device: query['device'],
  };
}

export type VisitorRange = ReturnType<typeof useVisitorRange>;

/** The days as parameters, where devices are not told apart. */
export function daysQuery({ from, to }: VisitorRange): Record<string, string> {
  return rangeQuery({ from, to, device: undefined });
}

/** `range` as parameters, without those that are not set. */
export function rangeQuery(range: VisitorRange): Record<string, string> {
  const entries = Object.entries(range).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

export function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The first of so many days that end today, in UTC. */
export function daysAgo(days: number): string {
  return dayText(Date.now() - (days - 1) * DAY_MS);
}

/** Every day from the first to the last. */
export function daysBetween(from: string, to: string): readonly string[] {
  const first = Date.parse(from);
  const count = Math.round((Date.parse(to) - first) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, place) => dayText(first + place * DAY_MS));
}
