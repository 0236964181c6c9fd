import { useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.ts';
import type { Configuration } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterText } from '../../parts/filter-text.tsx';
import { Icon } from '../../parts/icon.tsx';
import { saveFile } from '../../parts/save-file.ts';

type Variable = { readonly name: string; readonly value: unknown };

/** What the operator has set, secrets masked, and all records as one file. */
export function ConfigurationTab() {
  const { answer, error, reload } = useAnswer<Configuration>('/configuration');
  const [find, setFind] = useState('');
  const rows =
    answer &&
    Object.entries(answer.variables)
      .map(([name, value]) => ({ name, value }))
      .filter(({ name }) => name.toLowerCase().includes(find.trim().toLowerCase()));
  return (
    <>
      <Card title="Provision file" actions={answer !== undefined && <FileActions file={answer.file} />}>
        <p class="quiet">
          Customers, engines, crawlers, search tools and people as they are now, without secrets. An empty installation
          becomes this one by <code>fossick apply</code>.
        </p>
      </Card>
      <div class="spread">
        <h2>Variables</h2>
        <FilterText label="Find a variable" value={find} onChange={setFind} />
      </div>
      <DataTable
        label="Variables"
        columns={COLUMNS}
        rows={rows}
        error={error}
        onRetry={reload}
        keyOf={({ name }) => name}
        empty={<EmptyState icon="search" title="No variable fits" />}
      />
    </>
  );
}

const COLUMNS: readonly Column<Variable>[] = [
  { title: 'Variable', show: ({ name }) => <code>{name}</code> },
  {
    title: 'Value',
    show: ({ value }) =>
      value === null || value === undefined ? (
        <span class="quiet">not set</span>
      ) : (
        <code class="any">{typeof value === 'string' ? value : JSON.stringify(value)}</code>
      ),
  },
];

/** As `fossick apply` finds it by itself. */
const FILE = 'fossick.config.json';

function FileActions({ file }: { readonly file: Configuration['file'] }) {
  const text = JSON.stringify(file, null, 2);
  return (
    <>
      <CopyButton text={text} />
      <button type="button" onClick={() => saveFile(FILE, new Blob([text], { type: 'application/json' }))}>
        <Icon name="save" /> Save
      </button>
    </>
  );
}
