import { useEngineOfPage } from '../../frame/engines.ts';
import type { EditedSynonymGroup } from '../../generated-types.ts';
import { EditedRecord } from './edited-record.tsx';
import { SynonymForm } from './synonym-form.tsx';
import { ToolTable } from './tool-table.tsx';
import { useToolRecords } from './use-tool-records.ts';

/** Synonyms belong to the customer, so all engines of it have them. */
export function SynonymList() {
  const engine = useEngineOfPage();
  const path = engine && `/customers/${engine.customer}/synonyms`;
  const { pages, edited, edit, close, add, remove } = useToolRecords<EditedSynonymGroup>(path);
  return (
    <ToolTable
      label="Synonyms"
      noun="synonym group"
      about="Words that mean the same: who searches one finds all."
      pages={pages}
      nameOf={({ words }) => words.join(', ')}
      onNew={() => edit('new')}
      onEdit={({ id }) => edit(id)}
      onRemove={({ id }) => void remove(id, 'The synonyms are removed')}
      columns={[
        { title: 'Words', show: ({ words }) => <bdi>{words.join(' = ')}</bdi> },
        { title: 'Language', show: ({ language }) => language },
      ]}
    >
      {edited === 'new' && (
        <SynonymForm
          title="New synonyms"
          action="Save"
          group={{ language: '', words: [] }}
          onSave={(body) => add(body, 'The synonyms are saved')}
          onClose={close}
        />
      )}
      {path !== undefined && edited !== undefined && edited !== 'new' && (
        <EditedRecord<EditedSynonymGroup>
          path={path}
          id={edited}
          onSaved={pages.reload}
          onClose={close}
          form={(group, onSave) => (
            <SynonymForm title="Synonyms" action="Save" group={group} onSave={onSave} onClose={close} />
          )}
        />
      )}
    </ToolTable>
  );
}
