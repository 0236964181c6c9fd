import { useEffect, useState } from 'preact/hooks';
import { formatRelative, formatShortTime, formatTime } from './format.ts';

type Props = {
  /** ISO 8601, or nothing. */
  readonly at: string | null | undefined;
  /** For nothing. */
  readonly never?: string;
  /** The date in place of how long ago it was. */
  readonly isAbsolute?: boolean;
};

const REFRESH_MS = 30_000;

/** How long ago, or how soon; the whole date on pointing at it. */
export function TimeText({ at, never = 'never', isAbsolute = false }: Props) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  if (at === null || at === undefined) return <span class="quiet">{never}</span>;
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={formatTime(time)}>
      {isAbsolute ? formatShortTime(time) : formatRelative(time, Math.max(now, Date.now()))}
    </time>
  );
}
