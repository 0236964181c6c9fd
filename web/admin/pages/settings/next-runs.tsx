import { useEffect, useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import type { PlannedRuns } from '../../generated-types.ts';
import { TimeText } from '../../parts/time-text.tsx';
import { RUN_KINDS } from '../sites/crawler-state.tsx';

type Props = {
  readonly crawlerId: number;
  /** Settings that are not saved yet. */
  readonly patch: Readonly<Record<string, unknown>>;
};

const COUNT = 5;
const MEMBERS = ['schedule', 'timezone', 'window'] as const;
/** As long as the pauses between keys. */
const REST_MS = 300;

/** The next runs by the schedule as it was typed. */
export function NextRuns({ crawlerId, patch }: Props) {
  const client = useAdmin();
  const [planned, setPlanned] = useState<PlannedRuns>();
  const body = JSON.stringify({ ...Object.fromEntries(MEMBERS.map((name) => [name, patch[name]])), count: COUNT });
  useEffect(() => {
    const leave = new AbortController();
    const timer = setTimeout(() => {
      client
        .post<PlannedRuns>(`/crawlers/${crawlerId}/schedule`, { body: JSON.parse(body), signal: leave.signal })
        .then(
          (answer) => setPlanned(answer.body),
          () => leave.signal.aborted || setPlanned(undefined),
        );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [client, crawlerId, body]);
  return (
    <div class="stack" aria-live="polite">
      <h3>Next runs</h3>
      {planned === undefined && <p class="quiet">Nothing is planned, or the schedule cannot be read.</p>}
      {planned?.active === false && <p class="quiet">Nothing begins before the crawler is activated.</p>}
      {planned !== undefined && (
        <dl class="facts">
          {planned.runs.map(({ kind, at }) => (
            <div class="contents" key={`${kind} ${at}`}>
              <dt>
                <TimeText at={at} isAbsolute />
              </dt>
              <dd>{RUN_KINDS[kind]}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
