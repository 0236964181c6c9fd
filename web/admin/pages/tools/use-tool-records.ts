import { useAdmin } from '../../client/client-context.ts';
import { useQueryState } from '../../client/query-state.ts';
import { drop } from '../../client/tool-records.ts';
import { usePages } from '../../client/use-pages.ts';
import { useToast } from '../../parts/toasts.tsx';

type ToolRecord = { readonly id: number };

/** The records of one kind of tool: a list, what is edited (in the address), and what changes them. */
export function useToolRecords<Row extends ToolRecord>(
  path: string | undefined,
  query: Record<string, string | undefined> = {},
) {
  const client = useAdmin();
  const state = useQueryState();
  const toast = useToast();
  const pages = usePages<Row>(path, { query });
  const { reload } = pages;
  return {
    pages,
    /** The id of a record, `new`, or nothing. */
    edited: state.query['edit'],
    edit: (id: number | 'new') => state.set({ edit: String(id) }),
    close: () => state.set({ edit: undefined }),
    add: async (body: unknown, text: string) => {
      if (path === undefined) return;
      const { body: made } = await client.post<ToolRecord>(path, { body });
      reload();
      toast({ text, undo: () => client.delete(`${path}/${made.id}`).finally(reload) });
    },
    remove: async (id: number, text: string) => {
      if (path === undefined) return;
      const undo = await drop(client, path, id);
      reload();
      toast({ text, undo: () => undo().finally(reload) });
    },
  };
}
