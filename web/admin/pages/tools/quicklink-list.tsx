import { SafeLink } from '../../../parts/safe-link.tsx';
import type { EditedQuicklink } from '../../generated-types.ts';
import { EditedRecord } from './edited-record.tsx';
import { QuicklinkForm } from './quicklink-form.tsx';
import { QueryChips, ToolTable } from './tool-table.tsx';
import { useToolRecords } from './use-tool-records.ts';

export function QuicklinkList({ engineId }: { readonly engineId: string }) {
  const path = `/engines/${engineId}/quicklinks`;
  const { pages, edited, edit, close, add, remove } = useToolRecords<EditedQuicklink>(path);
  return (
    <ToolTable
      label="Quicklinks"
      noun="quicklink"
      about="Addresses that visitors are offered while they type."
      pages={pages}
      nameOf={({ url }) => url}
      isBroken={({ broken }) => broken}
      onNew={() => edit('new')}
      onEdit={({ id }) => edit(id)}
      onRemove={({ id, url }) => void remove(id, `The quicklink to ${url} is removed`)}
      columns={[
        { title: 'Address', show: ({ url }) => <SafeLink address={url}>{url}</SafeLink> },
        { title: 'Queries', show: ({ queries }) => <QueryChips engineId={engineId} queries={queries} /> },
      ]}
    >
      {edited === 'new' && (
        <QuicklinkForm
          title="New quicklink"
          action="Save"
          quicklink={{ url: '', queries: [] }}
          onSave={(body) => add(body, 'The quicklink is saved')}
          onClose={close}
        />
      )}
      {edited !== undefined && edited !== 'new' && (
        <EditedRecord<EditedQuicklink>
          path={path}
          id={edited}
          onSaved={pages.reload}
          onClose={close}
          form={(quicklink, onSave) => (
            <QuicklinkForm title="Quicklink" action="Save" quicklink={quicklink} onSave={onSave} onClose={close} />
          )}
        />
      )}
    </ToolTable>
  );
}
