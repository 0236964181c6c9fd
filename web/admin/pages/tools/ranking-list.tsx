import type { EditedRanking } from '../../generated-types.ts';
import { EditedRecord } from './edited-record.tsx';
import { RankingForm } from './ranking-form.tsx';
import { QueryChips, ToolTable } from './tool-table.tsx';
import { useToolRecords } from './use-tool-records.ts';

export function RankingList({ engineId }: { readonly engineId: string }) {
  const path = `/engines/${engineId}/rankings`;
  const { pages, edited, edit, close, add, remove } = useToolRecords<EditedRanking>(path);
  return (
    <ToolTable
      label="Rankings"
      noun="ranking"
      about="Pages at fixed places, or hidden, for the queries of a ranking."
      pages={pages}
      nameOf={({ name }) => name}
      isBroken={({ pins }) => pins.some(({ broken }) => broken)}
      onNew={() => edit('new')}
      onEdit={({ id }) => edit(id)}
      onRemove={({ id, name }) => void remove(id, `The ranking ${name} is removed`)}
      columns={[
        { title: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
        { title: 'Queries', show: ({ queries }) => <QueryChips engineId={engineId} queries={queries} /> },
        { title: 'Pinned', isNumber: true, show: ({ pins }) => pins.filter(({ hidden }) => !hidden).length },
        {
          title: 'Hidden',
          isNumber: true,
          isSecondary: true,
          show: ({ pins }) => pins.filter(({ hidden }) => hidden).length,
        },
        {
          title: 'Audiences',
          isSecondary: true,
          show: ({ audiences }) => (audiences.length === 0 ? 'everybody' : audiences.join(', ')),
        },
      ]}
    >
      {edited === 'new' && (
        <RankingForm
          title="New ranking"
          action="Save"
          engineId={engineId}
          ranking={{ name: '', queries: [], audiences: [], pins: [] }}
          onSave={(body) => add(body, 'The ranking is saved')}
          onClose={close}
        />
      )}
      {edited !== undefined && edited !== 'new' && (
        <EditedRecord<EditedRanking>
          path={path}
          id={edited}
          onSaved={pages.reload}
          onClose={close}
          form={(ranking, onSave) => (
            <RankingForm
              title={`Ranking ${ranking.name}`}
              action="Save"
              engineId={engineId}
              ranking={ranking}
              onSave={onSave}
              onClose={close}
            />
          )}
        />
      )}
    </ToolTable>
  );
}
