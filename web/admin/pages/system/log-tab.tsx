import { useEffect, useRef, useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { useQueryState } from '../../client/query-state.ts';
import type { LogTail } from '../../generated-types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterText } from '../../parts/filter-text.tsx';
import { StatusPill, type Tone } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';

type Line = LogTail['items'][number];
type Filter = Readonly<Record<'level' | 'role' | 'text', string | undefined>>;

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const ROLES = ['api', 'indexer', 'scheduler', 'upkeep', 'crawl'] as const;

/** The newest lines of the log of all processes, and those that come. */
export function LogTab() {
  const { query, set } = useQueryState();
  const filter = { level: query['level'] ?? 'info', role: query['role'], text: query['text'] };
  const { lines, error, retry } = useLog(filter);
  return (
    <>
      <div class="row">
        <FilterText label="Part of the message" value={filter.text ?? ''} onChange={(text) => set({ text })} />
        <select
          class="narrow"
          aria-label="Least level"
          value={filter.level}
          onChange={(event) => set({ level: event.currentTarget.value })}
        >
          {LEVELS.map((level) => (
            <option key={level}>{level}</option>
          ))}
        </select>
        <select
          class="narrow"
          aria-label="Process"
          value={filter.role ?? ''}
          onChange={(event) => set({ role: event.currentTarget.value })}
        >
          <option value="">All processes</option>
          {ROLES.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </div>
      <DataTable
        label="Log, the newest line first"
        columns={COLUMNS}
        rows={lines}
        error={error}
        onRetry={retry}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="documents" title="No line fits">
            Lines stand here as soon as they are written.
          </EmptyState>
        }
      />
    </>
  );
}

const EVERY_MS = 2_000;
const MAX_LINES = 500;
const LIMIT = '200';

/** Asks for what came since the last answer. */
function useLog({ level, role, text }: Filter) {
  const client = useAdmin();
  const [lines, setLines] = useState<readonly Line[]>();
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  const after = useRef<string | null>(null);
  useEffect(() => {
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    after.current = null;
    setLines(undefined);
    const follow = async () => {
      const query = { level, role, text, limit: LIMIT, after: after.current ?? undefined };
      const { body } = await client.get<LogTail>('/logs', { query, signal: leave.signal });
      after.current = body.next ?? after.current;
      setError(undefined);
      setLines((last = []) => [...body.items.toReversed(), ...last].slice(0, MAX_LINES));
      timer = setTimeout(() => void follow().catch(fail), EVERY_MS);
    };
    const fail = (reason: unknown) => {
      if (!leave.signal.aborted) setError(reason);
    };
    void follow().catch(fail);
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [client, level, role, text, round]);
  return { lines, error, retry: () => setRound((last) => last + 1) };
}

const TONES: Readonly<Record<Line['level'], Tone>> = { debug: 'idle', info: 'idle', warn: 'warn', error: 'bad' };

const COLUMNS: readonly Column<Line>[] = [
  { title: 'When', show: ({ at }) => <TimeText at={at} isAbsolute /> },
  { title: 'Level', show: ({ level }) => <StatusPill tone={TONES[level]}>{level}</StatusPill> },
  { title: 'Process', isSecondary: true, show: ({ process }) => <code>{process}</code> },
  {
    title: 'Message',
    show: ({ message, detail }) =>
      Object.keys(detail).length === 0 ? (
        message
      ) : (
        <details>
          <summary class="any">{message}</summary>
          <pre class="any">{JSON.stringify(detail, null, 2)}</pre>
        </details>
      ),
  },
];
