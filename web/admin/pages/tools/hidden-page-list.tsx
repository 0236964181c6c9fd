import { SafeLink } from '../../../parts/safe-link.tsx';
import { useAdmin } from '../../client/client-context.ts';
import type { HiddenPage } from '../../generated-types.ts';
import { TimeText } from '../../parts/time-text.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { PagePicker } from './page-picker.tsx';
import { ToolTable } from './tool-table.tsx';
import { useToolRecords } from './use-tool-records.ts';

export function HiddenPageList({ engineId }: { readonly engineId: string }) {
  const client = useAdmin();
  const toast = useToast();
  const path = `/engines/${engineId}/hidden-pages`;
  const { pages, edited, edit, close, add } = useToolRecords<HiddenPage>(path);
  const show = async ({ id, documentId, title, note }: HiddenPage) => {
    await client.delete(`${path}/${id}`);
    pages.reload();
    const hideAgain = () => client.post(path, { body: { documentId, ...(note !== null && { note }) } });
    toast({ text: `${title} is shown again`, undo: () => hideAgain().finally(pages.reload) });
  };
  return (
    <ToolTable
      label="Hidden pages"
      noun="hidden page"
      about="Pages that nobody is shown: in no search, completion or answer."
      pages={pages}
      nameOf={({ title, url }) => (title === '' ? url : title)}
      isBroken={({ broken }) => broken}
      onNew={() => edit('new')}
      onRemove={(page) => void show(page)}
      columns={[
        {
          title: 'Page',
          show: ({ title, url }) => (
            <>
              <bdi>{title}</bdi>
              <div class="small any">
                <SafeLink address={url}>{url}</SafeLink>
              </div>
            </>
          ),
        },
        { title: 'Note', isSecondary: true, show: ({ note }) => <bdi>{note}</bdi> },
        { title: 'Since', isSecondary: true, show: ({ hiddenAt }) => <TimeText at={hiddenAt} /> },
      ]}
    >
      {edited === 'new' && (
        <PagePicker
          engineId={engineId}
          title="Hide a page everywhere"
          onPick={({ documentId, title }) => {
            close();
            void add({ documentId }, `${title} is hidden everywhere`);
          }}
          onClose={close}
        />
      )}
    </ToolTable>
  );
}
