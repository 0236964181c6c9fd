import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { FossickError } from '../../../../packages/client/src/fossick-error.ts';
import { useAdmin } from '../../client/client-context.ts';
import { editablePart } from '../../client/tool-records.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { useChange } from '../../client/use-change.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useToast } from '../../parts/toasts.tsx';

type Body = Readonly<Record<string, unknown>>;
type Tagged = { readonly record: Body; readonly etag: string | undefined };

type Props<Row> = {
  /** Of the list; the record is below it. */
  readonly path: string;
  readonly id: string;
  /** Its form, which begins with `record`. */
  readonly form: (record: Row, onSave: (body: unknown) => Promise<unknown>) => ComponentChildren;
  readonly onSaved: () => void;
  readonly onClose: () => void;
};

/** A stored record in its form. When somebody else changed it meanwhile, both are shown and one is chosen. */
export function EditedRecord<Row>({ path, id, form, onSaved, onClose }: Props<Row>) {
  const client = useAdmin();
  const toast = useToast();
  const address = `${path}/${id}`;
  const loaded = useAnswer<Body>(address);
  const [taken, setTaken] = useState<Tagged>();
  const [conflict, setConflict] = useState<Tagged & { readonly mine: Body }>();
  const shown = taken ?? (loaded.answer && { record: loaded.answer, etag: loaded.etag });
  if (shown === undefined) {
    return (
      <Dialog title="Loading" onClose={onClose} isWide>
        {loaded.error === undefined ? <Skeleton /> : <ErrorNotice error={loaded.error} onRetry={loaded.reload} />}
      </Dialog>
    );
  }
  const put = async (body: unknown, { record, etag }: Tagged) => {
    await client.put(address, { body, ifMatch: etag });
    onSaved();
    toast({ text: 'Saved', undo: () => client.put(address, { body: editablePart(path, record) }).finally(onSaved) });
  };
  const save = async (body: unknown) => {
    try {
      await put(body, shown);
    } catch (error) {
      if (!(error instanceof FossickError) || error.errorCode !== 'record.changed') throw error;
      const theirs = await client.get<Body>(address);
      setConflict({ record: theirs.body, etag: theirs.etag, mine: body as Body });
      throw error;
    }
  };
  return (
    <>
      <div key={shown.etag}>{form(shown.record as Row, save)}</div>
      {conflict !== undefined && (
        <TwoVersions
          theirs={editablePart(path, conflict.record)}
          mine={conflict.mine}
          onTheirs={() => {
            setTaken(conflict);
            setConflict(undefined);
          }}
          onMine={async () => {
            await put(conflict.mine, conflict);
            onClose();
          }}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  );
}

type VersionsProps = {
  readonly theirs: Body;
  readonly mine: Body;
  readonly onTheirs: () => void;
  readonly onMine: () => Promise<void>;
  readonly onClose: () => void;
};

function TwoVersions({ theirs, mine, onTheirs, onMine, onClose }: VersionsProps) {
  const change = useChange();
  const names = Object.keys(mine).filter((name) => textOf(theirs[name]) !== textOf(mine[name]));
  return (
    <Dialog title="Somebody else changed this in the meantime" onClose={onClose} isWide>
      <section class="table" aria-label="Both versions">
        <table>
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">Theirs, saved</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <td>{name}</td>
                <td class="any">{textOf(theirs[name])}</td>
                <td class="any">{textOf(mine[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ErrorNotice error={change.error} />
      <div class="dialog-foot">
        <button type="button" onClick={onTheirs}>
          Take theirs
        </button>
        <button type="button" class="main" disabled={change.isRunning} onClick={() => void change.run(onMine)}>
          Save mine over it
        </button>
      </div>
    </Dialog>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
