import type { ComponentChildren } from 'preact';
import type { usePages } from '../../client/use-pages.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';

type Managed = { readonly id: number; readonly managedBy: string | null };

type Props<Row> = {
  readonly label: string;
  /** What one is: "ranking". */
  readonly noun: string;
  readonly about: string;
  readonly pages: ReturnType<typeof usePages<Row>>;
  /** The first tells a row by its name. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  readonly nameOf: (row: Row) => string;
  readonly isBroken?: (row: Row) => boolean;
  readonly onNew: () => void;
  readonly onEdit?: (row: Row) => void;
  readonly onRemove: (row: Row) => void;
  readonly children?: ComponentChildren;
};

/** The records of one kind of tool. */
export function ToolTable<Row extends Managed>(props: Props<Row>) {
  const { label, noun, about, pages, columns, nameOf, isBroken, onNew, onEdit, onRemove, children } = props;
  const buttons: Column<Row> = {
    title: 'What to do',
    isActions: true,
    show: (row) =>
      row.managedBy === null ? (
        <>
          {onEdit !== undefined && (
            <button type="button" class="plain" aria-label={`Edit ${nameOf(row)}`} onClick={() => onEdit(row)}>
              <Icon name="edit" />
            </button>
          )}
          <button type="button" class="plain" aria-label={`Remove ${nameOf(row)}`} onClick={() => onRemove(row)}>
            <Icon name="remove" />
          </button>
        </>
      ) : (
        <span class="quiet small" title={`It is changed in ${row.managedBy}`}>
          of <code>{row.managedBy}</code>
        </span>
      ),
  };
  const [first, ...others] = columns;
  const named: Column<Row> = {
    ...first,
    title: first.title,
    show: (row) => (
      <>
        {first.show(row)} {isBroken?.(row) && <StatusPill tone="bad">Target gone</StatusPill>}
      </>
    ),
  };
  return (
    <div class="stack">
      <div class="spread">
        <p class="quiet">{about}</p>
        <button type="button" class="main" onClick={onNew}>
          <Icon name="plus" /> New {noun}
        </button>
      </div>
      {children}
      <DataTable
        {...pages}
        label={label}
        columns={[named, ...others, buttons]}
        keyOf={(row) => row.id}
        empty={<EmptyState icon="tools" title={`There is no ${noun} yet`} />}
      />
    </div>
  );
}

/** Queries, the first few of them. */
export function QueryChips({ engineId, queries }: { readonly engineId: string; readonly queries: readonly string[] }) {
  const shown = queries.slice(0, MAX_SHOWN);
  return (
    <span class="row chips">
      {shown.map((query) => (
        <a
          key={query}
          class="chip"
          dir="auto"
          href={`/admin/engines/${engineId}/preview?${new URLSearchParams({ q: query })}`}
        >
          {query}
        </a>
      ))}
      {queries.length > shown.length && <span class="quiet small">and {queries.length - shown.length} more</span>}
    </span>
  );
}

const MAX_SHOWN = 5;
