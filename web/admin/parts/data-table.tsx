import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { ErrorNotice } from './error-notice.tsx';
import { Icon } from './icon.tsx';

export type Column<Row> = {
  readonly title: string;
  readonly show: (row: Row) => ComponentChildren;
  /** Numbers stand at the end of their column. */
  readonly isNumber?: boolean;
  /** Left out where there is little room. */
  readonly isSecondary?: boolean;
  /** Buttons of the row; the title is read aloud only. */
  readonly isActions?: boolean;
  /** The name of the order by this column, where the server can sort by it. */
  readonly order?: string;
};

export type Paging = {
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly onFirst: () => void;
  readonly onNext: () => void;
};

type Props<Row> = {
  /** What the rows are: "Runs". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** undefined: still loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string | number;
  /** In place of rows when there are none. */
  readonly empty: ComponentChildren;
  readonly error?: unknown;
  readonly onRetry?: (() => void) | undefined;
  readonly paging?: Paging | undefined;
  readonly order?: string | undefined;
  readonly onOrder?: (order: string) => void;
};

/** Rows as the server pages and sorts them. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, empty, error, onRetry, paging } = props;
  const id = useId();
  if (rows === undefined && error !== undefined) return <ErrorNotice error={error} onRetry={onRetry} />;
  const isEmpty = rows?.length === 0;
  return (
    <div>
      {error !== undefined && <ErrorNotice error={error} onRetry={onRetry} />}
      {isEmpty ? (
        empty
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard (WCAG 2.1.1)
        <section class="table" aria-labelledby={id} tabIndex={0}>
          <table aria-busy={rows === undefined}>
            <caption class="unseen" id={id}>
              {label}
            </caption>
            <Heads {...props} />
            <tbody>
              {rows === undefined
                ? BONES.map((bone) => (
                    <tr key={bone}>
                      {columns.map((column) => (
                        <td key={column.title} class={classOf(column)}>
                          <span class="bone" />
                        </td>
                      ))}
                    </tr>
                  ))
                : rows.map((row) => (
                    <tr key={keyOf(row)}>
                      {columns.map((column) => (
                        <td key={column.title} class={classOf(column)}>
                          {column.show(row)}
                        </td>
                      ))}
                    </tr>
                  ))}
            </tbody>
          </table>
        </section>
      )}
      {paging !== undefined && (paging.hasNext || paging.hasPrevious) && <Foot paging={paging} />}
    </div>
  );
}

const BONES = [0, 1, 2, 3, 4];

function classOf<Row>({ isNumber, isSecondary, isActions }: Column<Row>): string | undefined {
  const classes = [isNumber && 'number', isSecondary && 'secondary', isActions && 'actions'].filter(Boolean);
  return classes.length === 0 ? undefined : classes.join(' ');
}

function Heads<Row>({ columns, order, onOrder }: Props<Row>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th
            key={column.title}
            scope="col"
            class={classOf(column)}
            aria-sort={column.order !== undefined && column.order === order ? 'descending' : undefined}
          >
            {column.order !== undefined && onOrder !== undefined ? (
              <button type="button" onClick={() => onOrder(column.order ?? '')}>
                {column.title}
                {column.order === order && <Icon name="down" />}
              </button>
            ) : (
              <span class={column.isActions ? 'unseen' : undefined}>{column.title}</span>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Foot({ paging }: { readonly paging: Paging }) {
  return (
    <div class="table-foot">
      <button type="button" disabled={!paging.hasPrevious} onClick={paging.onFirst}>
        <Icon name="previous" /> First page
      </button>
      <button type="button" disabled={!paging.hasNext} onClick={paging.onNext}>
        Next page <Icon name="next" />
      </button>
    </div>
  );
}
