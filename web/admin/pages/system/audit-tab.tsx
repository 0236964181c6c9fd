import { useQueryState } from '../../client/query-state.ts';
import { usePages } from '../../client/use-pages.ts';
import type { Change } from '../../generated-types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { TimeText } from '../../parts/time-text.tsx';

const LIMIT = 50;

/** Who changed what, the newest first. */
export function AuditTab() {
  const changes = usePages<Change>('/audit', { limit: LIMIT });
  const { query } = useQueryState();
  return (
    <DataTable
      {...changes}
      label="Changes, the newest first"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty={
        <EmptyState title={query['after'] === undefined ? 'Nothing was changed yet' : 'There are no older changes'} />
      }
    />
  );
}

const COLUMNS: readonly Column<Change>[] = [
  { title: 'When', show: ({ at }) => <TimeText at={at} /> },
  { title: 'Who', show: ({ actor }) => <bdi class="any">{actor}</bdi> },
  { title: 'What', show: ({ action }) => <code>{action}</code> },
  { title: 'Of', show: ({ target }) => <bdi class="any">{target}</bdi> },
  { title: 'Change', show: (change) => <ChangedMembers change={change} /> },
];

function ChangedMembers({ change: { before, after } }: { readonly change: Change }) {
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (members.length === 0) return null;
  return (
    <details>
      <summary class="any">{members.join(', ')}</summary>
      <dl class="facts small">
        {members.map((member) => (
          <div class="contents" key={member}>
            <dt>{member}</dt>
            <dd class="mono">
              {before !== null && <del>{JSON.stringify(before[member]) ?? 'none'}</del>}{' '}
              {after !== null && <ins>{JSON.stringify(after[member]) ?? 'none'}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
