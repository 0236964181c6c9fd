import { useState } from 'preact/hooks';
import { useAdmin, useMay } from '../../client/client-context.ts';
import { useChange } from '../../client/use-change.ts';
import { Card } from '../../parts/card.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { LinesField } from '../../parts/fields.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { trimmed } from '../tools/tool-dialog.tsx';
import type { EngineProps } from './embed-page.tsx';

/** Sites whose pages may search from a browser. */
export function OriginsPart({ engine, etag, reload }: EngineProps) {
  const client = useAdmin();
  const toast = useToast();
  const mayChange = useMay('operator') && engine.managedBy === null;
  const [origins, setOrigins] = useState<readonly string[]>(engine.corsOrigins);
  const change = useChange();
  const patch = (corsOrigins: readonly string[], ifMatch?: string) =>
    client.patch(`/engines/${engine.id}`, { body: { corsOrigins }, ifMatch });
  const save = async () => {
    const isSaved = await change.run(() => patch(trimmed(origins), etag));
    if (!isSaved) return;
    reload();
    toast({ text: 'The allowed origins are saved', undo: () => patch(engine.corsOrigins).finally(reload) });
  };
  return (
    <Card title="Who may search from a browser">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <LinesField
          label="Origins"
          hint="Such as https://www.example.com, one a line. None: those of the installation (CORS_ORIGINS). The search page itself is always allowed."
          values={origins}
          isDisabled={!mayChange}
          problem={change.problemOf('corsOrigins')}
          onChange={setOrigins}
        />
        <ErrorNotice error={change.error} shownPaths={['corsOrigins']} />
        {mayChange ? (
          <div>
            <button type="submit" class="main" disabled={change.isRunning}>
              Save
            </button>
          </div>
        ) : (
          <p class="quiet">
            {engine.managedBy === null ? (
              'An operator changes this.'
            ) : (
              <>
                The engine comes of <code>{engine.managedBy}</code> and is changed there.
              </>
            )}
          </p>
        )}
      </form>
    </Card>
  );
}
