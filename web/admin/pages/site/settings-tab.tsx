import { useMay } from '../../client/client-context.ts';
import { NextRuns } from '../settings/next-runs.tsx';
import type { SettingField } from '../settings/setting-fields.ts';
import { SettingsEditor } from '../settings/settings-editor.tsx';
import { useSite } from './site-context.ts';

const NAME: SettingField = {
  path: 'name',
  label: 'Name',
  heading: '',
  description: 'Of the crawler, in these pages.',
  standard: undefined,
  example: undefined,
  kind: { kind: 'text' },
};
const OWN_FIELDS = [NAME];

/** Settings of the crawler. */
export function SettingsTab() {
  const { crawler, reload } = useSite();
  const isOperator = useMay('operator');
  return (
    <SettingsEditor
      schemaPath="/schemas/crawler"
      recordPath={`/crawlers/${crawler.id}`}
      hasPreview
      isDisabled={!isOperator || crawler.managedBy !== null}
      ownFields={OWN_FIELDS}
      extra={(group, patch) => group === 'schedule' && <NextRuns crawlerId={crawler.id} patch={patch} />}
      onSaved={reload}
    />
  );
}
