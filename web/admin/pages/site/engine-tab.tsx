import { useState } from 'preact/hooks';
import { useAdmin, useMay } from '../../client/client-context.ts';
import { useEngines } from '../../frame/engines.ts';
import { Card } from '../../parts/card.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useAction } from '../../parts/use-action.ts';
import type { SettingField } from '../settings/setting-fields.ts';
import { SettingsEditor } from '../settings/settings-editor.tsx';
import { useSite } from './site-context.ts';

const TEXT = { heading: '', standard: undefined, example: undefined, kind: { kind: 'text' } } as const;
const OWN_FIELDS: readonly SettingField[] = [
  { ...TEXT, path: 'name', label: 'Name', description: 'Of the search page, and in these pages.' },
  { ...TEXT, path: 'language', label: 'Language', description: 'Of the search page and its texts, as a code.' },
];

/** Settings of the engine, and what is done with it as a whole. */
export function EngineTab() {
  const { engine } = useSite();
  const engines = useEngines();
  const isOperator = useMay('operator');
  return (
    <>
      <SettingsEditor
        schemaPath="/schemas/engine"
        recordPath={`/engines/${engine.id}`}
        hasPreview={false}
        isDisabled={!isOperator || engine.managedBy !== null}
        ownFields={OWN_FIELDS}
        onSaved={engines.reload}
      />
      {isOperator && <EngineActions />}
    </>
  );
}

/** Where what a file owns is removed. */
function RemovedInFile() {
  const { engine, crawler } = useSite();
  const owned = [
    { noun: 'crawler', file: crawler.managedBy, id: crawler.id },
    { noun: 'engine', file: engine.managedBy, id: engine.id },
  ];
  return owned.map(
    ({ noun, file, id }) =>
      file !== null && (
        <p class="quiet" key={noun}>
          The {noun} is managed by <code>{file}</code>: remove it there and run <code>fossick apply</code>, or take it
          over with{' '}
          <code>
            fossick release {noun} {id}
          </code>
          .
        </p>
      ),
  );
}

type Asking = 'rebuild' | 'remove-crawler' | 'remove-engine' | undefined;

function EngineActions() {
  const { engine, crawler, reload } = useSite();
  const engines = useEngines();
  const client = useAdmin();
  const act = useAction(reload);
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  return (
    <Card title="Index, crawler and engine">
      <div class="row">
        <button
          type="button"
          onClick={() =>
            void act({
              work: () => client.post(`/engines/${engine.id}/rebuild`, { body: {} }),
              done: 'The index is made anew; the old one answers meanwhile',
            })
          }
        >
          Rebuild the index
        </button>
        {crawler.managedBy === null && (
          <button type="button" class="danger" onClick={() => setAsking('remove-crawler')}>
            Remove the crawler
          </button>
        )}
        {engine.managedBy === null && (
          <button type="button" class="danger" onClick={() => setAsking('remove-engine')}>
            Remove the engine
          </button>
        )}
      </div>
      <RemovedInFile />
      {asking === 'remove-crawler' && (
        <ConfirmDialog
          title={`Remove the crawler “${crawler.name}”?`}
          action="Remove the crawler"
          isDangerous
          typed={crawler.name}
          onConfirm={() => client.delete(`/crawlers/${crawler.id}`).finally(reload)}
          onClose={close}
        >
          <p>Its settings and all its documents leave for good. A backup brings them back, nothing else does.</p>
        </ConfirmDialog>
      )}
      {asking === 'remove-engine' && (
        <ConfirmDialog
          title={`Remove the engine “${engine.name}”?`}
          action="Remove the engine"
          isDangerous
          typed={engine.name}
          onConfirm={() => client.delete(`/engines/${engine.id}`).finally(engines.reload)}
          onClose={close}
        >
          <p>
            Its crawlers, documents, search tools and statistics leave for good. A backup brings them back, nothing else
            does.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
