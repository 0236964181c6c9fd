import { useQueryState } from '../../client/query-state.ts';
import { DEVICES, daysAgo, useVisitorRange } from './visitor-range.ts';

const PRESETS = [
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: 'A year' },
] as const;
const DEFAULT_DAYS = 30;

/** Which days, and which devices. */
export function RangeBar({ hasDevice = true }: { readonly hasDevice?: boolean }) {
  const { addressOf, set } = useQueryState();
  const { from, to, device } = useVisitorRange();
  const isCurrent = (days: number) =>
    to === undefined && (from === undefined ? days === DEFAULT_DAYS : from === daysAgo(days));
  const reset = { after: undefined };
  return (
    <div class="range-bar">
      <nav class="segments" aria-label="Days">
        {PRESETS.map(({ days, label }) => (
          <a
            key={days}
            href={addressOf({
              ...reset,
              from: days === DEFAULT_DAYS ? undefined : daysAgo(days),
              to: undefined,
            })}
            aria-current={isCurrent(days) ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <div class="row">
        <input
          type="date"
          aria-label="First day"
          value={from ?? daysAgo(DEFAULT_DAYS)}
          onChange={(event) => set({ ...reset, from: event.currentTarget.value })}
        />
        <span aria-hidden="true">–</span>
        <input
          type="date"
          aria-label="Last day"
          value={to ?? daysAgo(1)}
          onChange={(event) => set({ ...reset, to: event.currentTarget.value })}
        />
        {hasDevice && (
          <select
            aria-label="Device"
            value={device ?? ''}
            onChange={(event) => set({ ...reset, device: event.currentTarget.value })}
          >
            <option value="">All devices</option>
            {DEVICES.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
    </div>
  );
}
