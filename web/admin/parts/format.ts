const NUMBER = new Intl.NumberFormat('en');
const ONE_DIGIT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const WHOLE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** `1 page`, `2 pages`; `many` where an `s` does not do. */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${NUMBER.format(count)} ${count === 1 ? one : many}`;
}

export function formatPercent(ratio: number): string {
  return `${ONE_DIGIT.format(ratio * 100)} %`;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < BYTE_UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? value : ONE_DIGIT.format(value)} ${BYTE_UNITS[unit]}`;
}

const STEPS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;

/** `in 3 hours`, `2 days ago`. */
export function formatRelative(at: number, now: number): string {
  const distance = at - now;
  const step = STEPS.find(({ ms }) => Math.abs(distance) >= ms);
  if (step === undefined) return distance > 0 ? 'in a moment' : 'just now';
  return RELATIVE.format(Math.round(distance / step.ms), step.unit);
}

export function formatTime(at: number): string {
  return WHOLE.format(at);
}

export function formatShortTime(at: number): string {
  return SHORT.format(at);
}

/** `4 min 20 s`, `850 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`;
}
