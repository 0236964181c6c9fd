import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { usePages } from '../../client/use-pages.ts';
import type { HistoryEntry, PastRecord } from '../../generated-types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { shownValue, valueAt } from './setting-values.ts';
import type { SettingsRecord } from './settings-editor.tsx';
import './settings.css';

type Props = {
  /** `/crawlers/4` */
  readonly recordPath: string;
  /** "Crawler" */
  readonly title: string;
  readonly hasPreview: boolean;
  readonly mayRestore: boolean;
  readonly onRestored: () => void;
};

/** Who set what, the newest first; each state can be brought back. */
export function HistoryList({ recordPath, title, hasPreview, mayRestore, onRestored }: Props) {
  const client = useAdmin();
  const toast = useToast();
  const entries = usePages<HistoryEntry>(`${recordPath}/history`);
  const record = useAnswer<SettingsRecord>(recordPath);
  const [past, setPast] = useState<PastRecord>();
  const act = useAction(() => undefined);
  const reload = () => {
    entries.reload();
    record.reload();
    onRestored();
  };
  const look = async (id: number) => setPast((await client.get<PastRecord>(`${recordPath}/history/${id}`)).body);
  const restore: Column<HistoryEntry> = {
    title: 'Actions',
    isActions: true,
    show: ({ id }) => (
      <button type="button" onClick={() => void act({ work: () => look(id), done: 'Look at it before it is saved' })}>
        Bring back
      </button>
    ),
  };
  return (
    <>
      <DataTable
        {...entries}
        label={`${title}: settings, the newest change first`}
        columns={mayRestore ? [...COLUMNS, restore] : COLUMNS}
        keyOf={({ id }) => id}
        empty={<EmptyState title="Nothing was changed yet" />}
      />
      {past !== undefined && record.answer !== undefined && (
        <ReviewDialog
          recordPath={recordPath}
          hasPreview={hasPreview}
          etag={record.etag}
          patch={past.patch}
          changes={Object.keys(past.patch).map((path) => ({
            path,
            before: valueAt(record.answer ?? {}, path),
            after: past.record[path],
          }))}
          onClose={() => setPast(undefined)}
          onRefused={({ message }) => toast({ text: message })}
          onSaved={() => {
            toast({ text: 'The settings are as they were then' });
            reload();
          }}
          onChangedElsewhere={() => {
            toast({ text: 'Somebody else changed this in the meantime: look again' });
            reload();
          }}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<HistoryEntry>[] = [
  { title: 'When', show: ({ at }) => <TimeText at={at} /> },
  { title: 'Who', show: ({ actor }) => <bdi class="any">{actor}</bdi> },
  {
    title: 'What',
    show: ({ changes, isFirst }) =>
      isFirst ? (
        'Made it'
      ) : (
        <ul class="stack">
          {changes.map(({ path, before, after }) => (
            <li key={path} class="change">
              <code>{path}</code>
              <span class="any">
                <del>{shownValue(before)}</del> → <ins>{shownValue(after)}</ins>
              </span>
            </li>
          ))}
        </ul>
      ),
  },
];
