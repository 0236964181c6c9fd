import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { useEngineOfPage } from '../../frame/engines.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCounted } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { RankingChanged, saveDraft } from './save-draft.ts';
import type { PreviewView, QueryTools } from './use-query-tools.ts';

/** Saves all unsaved tools of the query at once; the toast takes them back. */
export function useSaving({ engineId, query }: PreviewView, tools: QueryTools) {
  const client = useAdmin();
  const engine = useEngineOfPage();
  const toast = useToast();
  const [state, setState] = useState<{ readonly isRunning: boolean; readonly error?: unknown }>({ isRunning: false });
  const { drafts, changes, reload } = tools;
  const save = async () => {
    if (changes === 0 || state.isRunning || engine === undefined) return;
    setState({ isRunning: true });
    const { left, error, undo } = await saveDraft(
      { client, engineId, customerId: engine.customer, query },
      drafts.draft,
    );
    drafts.reset(left);
    setState({ isRunning: false, error });
    reload();
    if (undo === undefined) return;
    const text = error === undefined ? `${formatCounted(changes, 'change')} saved` : 'A part of the changes is saved';
    toast({ text, undo: () => undo().finally(reload) });
  };
  return { save, ...state, clear: () => setState({ isRunning: false }) };
}

export type Saving = ReturnType<typeof useSaving>;

/** What waits to be saved: at the lower end of the page as long as there is something. */
export function SaveBar({ tools, saving }: { readonly tools: QueryTools; readonly saving: Saving }) {
  const { changes, drafts } = tools;
  if (saving.error instanceof RankingChanged) {
    return <ConflictDialog tools={tools} theirs={saving.error.theirs} onClose={saving.clear} />;
  }
  if (changes === 0 && saving.error === undefined) return null;
  return (
    <section class="save-bar" aria-label="Unsaved changes">
      <ErrorNotice error={saving.error} />
      <div class="spread">
        <p role="status">
          <strong>{formatCounted(changes, 'unsaved change')}</strong>
          <span class="quiet">: visitors do not see them yet</span>
        </p>
        <div class="row">
          {drafts.undo !== undefined && (
            <button type="button" class="plain" onClick={drafts.undo}>
              <Icon name="undo" /> Undo
            </button>
          )}
          <button type="button" onClick={() => drafts.reset()}>
            Discard
          </button>
          <button type="button" class="main" disabled={saving.isRunning} onClick={() => void saving.save()}>
            Save
          </button>
        </div>
      </div>
    </section>
  );
}
