/** An instant as a field of date and time takes it, in the time zone of who looks at it. */
export function localTime(at: string | null): string {
  if (at === null) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
