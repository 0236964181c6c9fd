import { editablePart } from '../../client/tool-records.ts';
import type { BannerBody } from '../../client/tool-types.ts';
import type { EditedBanner } from '../../generated-types.ts';
import { StatusPill } from '../../parts/status-pill.tsx';
import { BannerForm, NEW_BANNER } from './banner-form.tsx';
import { EditedRecord } from './edited-record.tsx';
import { QueryChips, ToolTable } from './tool-table.tsx';
import { useToolRecords } from './use-tool-records.ts';

export function BannerList({ engineId }: { readonly engineId: string }) {
  const path = `/engines/${engineId}/banners`;
  const { pages, edited, edit, close, add, remove } = useToolRecords<EditedBanner>(path);
  return (
    <ToolTable
      label="Banners"
      noun="banner"
      about="Texts of your own above the hits."
      pages={pages}
      nameOf={({ name }) => name}
      isBroken={({ brokenLinks }) => brokenLinks.length > 0}
      onNew={() => edit('new')}
      onEdit={({ id }) => edit(id)}
      onRemove={({ id, name }) => void remove(id, `The banner ${name} is removed`)}
      columns={[
        { title: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
        { title: 'Queries', show: ({ queries }) => <QueryChips engineId={engineId} queries={queries} /> },
        { title: 'Shown', show: (banner) => <Shown banner={banner} /> },
      ]}
    >
      {edited === 'new' && (
        <BannerForm
          title="New banner"
          action="Save"
          banner={NEW_BANNER}
          onSave={(body) => add(body, 'The banner is saved')}
          onClose={close}
        />
      )}
      {edited !== undefined && edited !== 'new' && (
        <EditedRecord<EditedBanner>
          path={path}
          id={edited}
          onSaved={pages.reload}
          onClose={close}
          form={(banner, onSave) => (
            <BannerForm
              title={`Banner ${banner.name}`}
              action="Save"
              banner={editablePart(path, banner) as BannerBody}
              onSave={onSave}
              onClose={close}
            />
          )}
        />
      )}
    </ToolTable>
  );
}

function Shown({ banner: { disabled, activeNow } }: { readonly banner: EditedBanner }) {
  if (disabled) return <StatusPill tone="idle">Switched off</StatusPill>;
  return activeNow ? <StatusPill tone="good">Now</StatusPill> : <StatusPill tone="idle">At another time</StatusPill>;
}
