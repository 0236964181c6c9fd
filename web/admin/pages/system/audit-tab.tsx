import { useState } from 'preact/hooks';
import { useQueryState } from '../../client/query-state.ts';
import { usePages } from '../../client/use-pages.ts';
import type { Change } from '../../generated-types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterText } from '../../parts/filter-text.tsx';
import { TimeText } from '../../parts/time-text.tsx';

const LIMIT = 50;
const TEXTS = [
  ['actor', 'Who', 'Part of who did it'],
  ['action', 'What', 'Action, such as put-engine'],
  ['target', 'Of', 'Begins with, such as engine:6'],
] as const;
const DAYS = [
  ['from', 'From'],
  ['to', 'To'],
] as const;

/** Who changed what, the newest first. The filters stand in the address. */
export function AuditTab() {
  const { query, set } = useQueryState();
  const { actor, action, target, from, to } = query;
  const changes = usePages<Change>('/audit', { limit: LIMIT, query: { actor, action, target, from, to } });
  const filter = (name: string, value: string) => set({ [name]: value, after: undefined });
  const isNarrowed = [actor, action, target, from, to].some((value) => value !== undefined);
  return (
    <>
      <div class="row">
        {TEXTS.map(([name, label, placeholder]) => (
          <FilterText
            key={name}
            label={label}
            placeholder={placeholder}
            value={query[name] ?? ''}
            onChange={(value) => filter(name, value)}
          />
        ))}
        {DAYS.map(([name, label]) => (
          <label class="row" key={name}>
            <span>{label}</span>
            <input
              type="date"
              class="narrow"
              value={query[name] ?? ''}
              onChange={(event) => filter(name, event.currentTarget.value)}
            />
          </label>
        ))}
      </div>
      <DataTable
        {...changes}
        label="Changes, the newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<EmptyState title={emptyText({ isNarrowed, ...changes.paging })} />}
      />
    </>
  );
}

type Shown = { readonly isNarrowed: boolean; readonly hasPrevious: boolean; readonly hasNext: boolean };

/** A page looks at so many changes, whether they fit or not. */
function emptyText({ isNarrowed, hasPrevious, hasNext }: Shown): string {
  if (hasNext) return 'None of these changes fits: older ones are on the next page';
  if (hasPrevious) return 'There are no older changes';
  return isNarrowed ? 'No change fits' : 'Nothing was changed yet';
}

const COLUMNS: readonly Column<Change>[] = [
  { title: 'When', show: ({ at }) => <TimeText at={at} /> },
  { title: 'Who', show: ({ actor }) => <bdi class="any">{actor}</bdi> },
  { title: 'What', show: ({ action }) => <code>{action}</code> },
  { title: 'Of', show: ({ target }) => <bdi class="any">{target}</bdi> },
  { title: 'Change', show: (change) => <ChangedMembers change={change} /> },
];

/** The values are drawn when they are looked at: a page of changes may hold thousands. */
function ChangedMembers({ change: { before, after } }: { readonly change: Change }) {
  const [isOpen, setOpen] = useState(false);
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (members.length === 0) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="any">{members.join(', ')}</summary>
      {isOpen && (
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
      )}
    </details>
  );
}
