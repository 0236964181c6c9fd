import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useChange } from '../client/use-change.ts';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { TextField } from './fields.tsx';

type Props = {
  /** A question: "Remove crawler 4?" */
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ComponentChildren;
  /** The verb of the question: "Remove". */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** What has to be typed first: for what cannot be undone. */
  readonly typed?: string;
  /** The dialog closes when it is done; a failure is shown in it. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
};

/** Asks before something is done. */
export function ConfirmDialog({ title, children, action, isDangerous = false, typed, onConfirm, onClose }: Props) {
  const change = useChange();
  const [text, setText] = useState('');
  const isReady = typed === undefined || text.trim() === typed;
  const confirm = async () => {
    if (isReady && (await change.run(onConfirm))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <div class="stack">{children}</div>
        {typed !== undefined && <TextField label={`Type “${typed}” to go on`} value={text} onInput={setText} />}
        <ErrorNotice error={change.error} />
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? 'danger main' : 'main'} disabled={!isReady || change.isRunning}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
