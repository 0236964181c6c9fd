/** A moment on the clock on the wall of a time zone. */
type LocalTime = {
  /** `2026-01-31` */
  readonly day: string;
  /** Minutes since midnight. */
  readonly minute: number;
};

/** `07:30` */
export const TIME_OF_DAY = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** @throws RangeError for a time zone that there is not */
export function localTime(at: number, timeZone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: `${parts['year']}-${parts['month']}-${parts['day']}`,
    minute: Number(parts['hour']) * 60 + Number(parts['minute']),
  };
}

/** `22:00-07:00` */
export function isTimeSpan(text: string): boolean {
  const times = text.split('-');
  return times.length === 2 && times.every((time) => TIME_OF_DAY.test(time));
}

/** Minutes since midnight of `07:30`. */
export function minuteOf(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Whether the minute lies in a span such as `22:00-07:00`; one that begins where it ends is the whole day. */
export function isWithin(span: string, minute: number): boolean {
  const [from = 0, to = 0] = span.split('-').map(minuteOf);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
