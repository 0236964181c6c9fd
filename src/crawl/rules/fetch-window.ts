/** Hours of the day in which runs fetch, as minutes of local time; `to` before `from` lies on the next day. */
export type FetchWindow = { readonly from: number; readonly to: number };

const MINUTE = 60_000;
const DAY_MINUTES = 1_440;
const TEXT = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/** @throws SyntaxError with the form that is allowed */
export function parseWindow(text: string): FetchWindow {
  const [, fromHour, fromMinute, toHour, toMinute] = (TEXT.exec(text.trim()) ?? []).map(Number);
  const from = (fromHour ?? Number.NaN) * 60 + (fromMinute ?? 0);
  const to = (toHour ?? Number.NaN) * 60 + (toMinute ?? 0);
  if (Number.isNaN(from) || from === to) throw new SyntaxError(`"${text}" is no window such as "22:00-06:00"`);
  return { from, to };
}

/** Where a window is looked at; no timezone: that of the machine. */
export type WindowOf = { readonly window: FetchWindow | undefined; readonly timezone: string | undefined };

/** Runs may fetch at that time; without a window always. */
export function isOpen({ window, timezone }: WindowOf, at: number): boolean {
  if (window === undefined) return true;
  const minute = minuteOfDay(at, timezone);
  return sinceMinutes(window.from, minute) < sinceMinutes(window.from, window.to);
}

/** How long the window was open between two times. A shift of the clocks counts as an hour too many or too few. */
export function openMs(input: WindowOf, from: number, to: number): number {
  const { window, timezone } = input;
  if (window === undefined) return Math.max(to - from, 0);
  let sum = 0;
  for (let at = from; at < to; ) {
    const open = isOpen(input, at);
    const next = sinceMinutes(minuteOfDay(at, timezone), open ? window.to : window.from);
    const flipAt = Math.min(at - (at % MINUTE) + next * MINUTE, to);
    if (open) sum += flipAt - at;
    at = flipAt;
  }
  return sum;
}

/** Minutes from one time of the day to the next occurrence of another. */
function sinceMinutes(from: number, to: number): number {
  return (to - from + DAY_MINUTES) % DAY_MINUTES;
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function minuteOfDay(at: number, timezone: string | undefined): number {
  const known = formats.get(timezone);
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format =
    known ?? new Intl.DateTimeFormat('en', { ...options, ...(timezone !== undefined && { timeZone: timezone }) });
  if (known === undefined) formats.set(timezone, format);
  const part = (type: string) => Number(format.formatToParts(at).find((found) => found.type === type)?.value ?? 0);
  return part('hour') * 60 + part('minute');
}
