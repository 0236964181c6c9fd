import { useAdmin } from '../../client/client-context.ts';
import type { Loaded } from '../../client/use-answer.ts';
import { useChange } from '../../client/use-change.ts';
import type { ToolCheck } from '../../generated-types.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { TimeText } from '../../parts/time-text.tsx';

type BrokenTool = ToolCheck['items'][number];

const KINDS: Readonly<Record<BrokenTool['tool'], { readonly kind: string; readonly label: string }>> = {
  ranking: { kind: 'rankings', label: 'Ranking' },
  banner: { kind: 'banners', label: 'Banner' },
  quicklink: { kind: 'quicklinks', label: 'Quicklink' },
  'hidden-page': { kind: 'hidden', label: 'Hidden page' },
};

/** Tools that lead to what is no page any more, as of the last check. */
export function BrokenList({ engineId, checked }: { readonly engineId: string; readonly checked: Loaded<ToolCheck> }) {
  const client = useAdmin();
  const change = useChange();
  const check = async () => {
    if (await change.run(() => client.post(`/engines/${engineId}/tools/check`, { body: {} }))) checked.reload();
  };
  return (
    <div class="stack">
      <div class="spread">
        <p class="quiet">
          Targets that are no page any more. Last checked: <TimeText at={checked.answer?.checkedAt} />
        </p>
        <button type="button" disabled={change.isRunning} onClick={() => void check()}>
          Check now
        </button>
      </div>
      <ErrorNotice error={change.error} />
      <DataTable
        label="Tools with broken targets"
        rows={checked.answer?.items}
        error={checked.error}
        onRetry={checked.reload}
        keyOf={({ tool, id }) => `${tool} ${id}`}
        empty={<EmptyState icon="check" title="Every target is there" />}
        columns={[
          {
            title: 'Tool',
            show: ({ tool, id, name }) => (
              <a href={`/admin/engines/${engineId}/tools?${new URLSearchParams(linkTo(tool, id))}`}>
                {KINDS[tool].label} <bdi>{name}</bdi>
              </a>
            ),
          },
          { title: 'What is gone', show: ({ targets }) => <span dir="ltr">{targets.join(', ')}</span> },
          { title: 'Found', isSecondary: true, show: ({ foundAt }) => <TimeText at={foundAt} /> },
        ]}
      />
    </div>
  );
}

function linkTo(tool: BrokenTool['tool'], id: number): Record<string, string> {
  const { kind } = KINDS[tool];
  return tool === 'hidden-page' ? { kind } : { kind, edit: String(id) };
}
