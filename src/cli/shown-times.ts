/** A duration of at least 0 ms for people: two units at most. */
export function durationText(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Between two times of the admin API; `-` until both are known. */
export function durationBetween(start: unknown, end: unknown): string {
  const ms = Date.parse(String(end)) - Date.parse(String(start));
  return ms >= 0 ? durationText(ms) : '-';
}

/** A time of the admin API to the minute: `2026-11-20 11:24 UTC`. */
export function timeShown(time: unknown): string {
  return typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 16)} UTC` : '-';
}
