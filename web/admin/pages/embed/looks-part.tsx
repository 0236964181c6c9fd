import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { useChange } from '../../client/use-change.ts';
import { Card } from '../../parts/card.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { useToast } from '../../parts/toasts.tsx';
import type { EngineProps } from './embed-page.tsx';
import { LooksFields } from './looks-fields.tsx';
import { draftOf, type PageDraft, pageBody, themeOf } from './page-draft.ts';
import { PageFields } from './page-fields.tsx';
import { PagePreview } from './page-preview.tsx';

/** The search page of the engine: whether it is there, where, in which language, and how it looks. */
export function LooksPart({ engine, etag, reload }: EngineProps) {
  const client = useAdmin();
  const toast = useToast();
  const change = useChange();
  const [draft, setDraft] = useState(() => draftOf(engine.page));
  const [round, setRound] = useState(0);
  const stored = draftOf(engine.page);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored);
  const set = (changed: Partial<PageDraft>) => setDraft({ ...draft, ...changed });
  const put = async (next: PageDraft, ifMatch?: string) => {
    await client.patch(`/engines/${engine.id}`, { body: { page: pageBody(next) }, ifMatch });
    reload();
    setRound((last) => last + 1);
  };
  const save = async () => {
    if (!(await change.run(() => put(draft, etag)))) return;
    const undo = async () => {
      await put(stored);
      setDraft(stored);
    };
    toast({ text: 'The search page is saved', undo });
  };
  return (
    <div class="embed-columns">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Card title="The search page">
          <PageFields engine={engine} draft={draft} set={set} problemOf={change.problemOf} />
        </Card>
        <Card title="Looks">
          <LooksFields draft={draft} set={set} problemOf={change.problemOf} />
        </Card>
        <ErrorNotice error={change.error} shownPaths={SHOWN_PATHS} />
        {engine.managedBy === null ? (
          <div class="row">
            <button type="submit" class="main" disabled={!isChanged || change.isRunning}>
              Save
            </button>
            {isChanged && (
              <button type="button" onClick={() => setDraft(stored)}>
                Discard
              </button>
            )}
          </div>
        ) : (
          <div class="notice">
            <p>
              The engine comes of <code>{engine.managedBy}</code> and is changed there.
            </p>
          </div>
        )}
      </form>
      <div class="kept">
        <PagePreview key={round} engine={engine} theme={themeOf(draft)} draft={draft} />
      </div>
    </div>
  );
}

const SHOWN_PATHS = [
  'page.path',
  'page.hosts',
  'page.language',
  'page.title',
  'page.placeholder',
  'page.hint',
  'page.theme.logo',
  'page.theme.font',
  'page.theme.light',
  'page.theme.dark',
];
