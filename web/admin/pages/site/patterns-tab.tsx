import { SafeLink } from '../../../parts/safe-link.tsx';
import { useAdmin, useMay } from '../../client/client-context.ts';
import { useQueryState } from '../../client/query-state.ts';
import { usePages } from '../../client/use-pages.ts';
import type { Duplicates, Pattern } from '../../generated-types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount } from '../../parts/format.ts';
import { StatusPill } from '../../parts/status-pill.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useSite } from './site-context.ts';

type Duplicate = Duplicates['items'][number];

/** Families of URLs, which of them bring nothing, and pages with the same content. */
export function PatternsTab() {
  const { query, set } = useQueryState();
  const isClosed = query['closed'] === 'true';
  return (
    <>
      <div class="card-head">
        <h2>Patterns of URLs</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={isClosed}
            onChange={(event) => set({ closed: event.currentTarget.checked ? 'true' : undefined, after: undefined })}
          />
          Closed ones only
        </label>
      </div>
      <PatternTable isClosed={isClosed} />
      <h2>Duplicates</h2>
      <DuplicateTable />
    </>
  );
}

function PatternTable({ isClosed }: { readonly isClosed: boolean }) {
  const { crawler } = useSite();
  const client = useAdmin();
  const isOperator = useMay('operator');
  const path = `/crawlers/${crawler.id}/patterns`;
  const patterns = usePages<Pattern>(path, { query: isClosed ? { closed: 'true' } : {} });
  const act = useAction(patterns.reload);
  const turn = ({ id, closedAt }: Pattern) => {
    const [action, opposite, done] =
      closedAt === null
        ? (['close', 'open', 'URLs of this pattern are left out'] as const)
        : (['open', 'close', 'URLs of this pattern are visited'] as const);
    const post = (word: string) => client.post(`${path}/${id}/${word}`, { body: {} });
    return act({ work: () => post(action), done, undo: () => post(opposite) });
  };
  const columns: readonly Column<Pattern>[] = [
    {
      title: 'Pattern',
      show: ({ pattern, host, examples }) => (
        <>
          <code class="any">{pattern}</code>
          <br />
          <span class="small quiet any">{examples[0] ?? host}</span>
        </>
      ),
    },
    { title: 'Known URLs', isNumber: true, show: ({ known }) => formatCount(known) },
    { title: 'Visited', isNumber: true, isSecondary: true, show: ({ visited }) => formatCount(visited) },
    {
      title: 'Brought something',
      isNumber: true,
      isSecondary: true,
      show: ({ informative }) => formatCount(informative),
    },
    {
      title: 'State',
      show: ({ closedAt, quarantine, rule }) => (
        <StatusPill tone={closedAt === null ? (quarantine ? 'warn' : 'good') : 'idle'}>
          {closedAt === null ? (quarantine ? 'Comes last' : 'Visited') : `Closed: ${RULES[rule ?? 'operator']}`}
        </StatusPill>
      ),
    },
    {
      title: 'Actions',
      isActions: true,
      show: (pattern) =>
        isOperator && (
          <button type="button" onClick={() => void turn(pattern)}>
            {pattern.closedAt === null ? 'Close' : 'Open'}
          </button>
        ),
    },
  ];
  return (
    <DataTable
      {...patterns}
      label="Patterns"
      columns={columns}
      keyOf={({ id }) => id}
      empty={
        <section class="card">
          <EmptyState title={isClosed ? 'No pattern is closed' : 'No pattern is known yet'}>
            A pattern whose pages bring nothing of their own (calendars, endless filters) is closed by itself.
          </EmptyState>
        </section>
      }
    />
  );
}

const RULES: Readonly<Record<NonNullable<Pattern['rule']>, string>> = {
  'nothing-new': 'it brings nothing new',
  'same-text': 'it repeats a text',
  operator: 'by hand',
  'kept-open': 'kept open',
};

function DuplicateTable() {
  const { crawler } = useSite();
  const duplicates = usePages<Duplicate>(`/crawlers/${crawler.id}/duplicates`, { name: 'afterDuplicate' });
  return (
    <DataTable
      {...duplicates}
      label="Duplicates"
      columns={DUPLICATE_COLUMNS}
      keyOf={({ url }) => url}
      empty={
        <section class="card">
          <EmptyState icon="check" title="No two pages have the same content" />
        </section>
      }
    />
  );
}

const DUPLICATE_COLUMNS: readonly Column<Duplicate>[] = [
  {
    title: 'URL',
    show: ({ url }) => (
      <bdi>
        <SafeLink address={url}>{url}</SafeLink>
      </bdi>
    ),
  },
  {
    title: 'The same as',
    show: ({ duplicateOf }) => (
      <bdi>
        <SafeLink address={duplicateOf}>{duplicateOf}</SafeLink>
      </bdi>
    ),
  },
  { title: 'Why', isSecondary: true, show: ({ cause }) => cause },
];
