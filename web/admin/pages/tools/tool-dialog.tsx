import type { ComponentChildren } from 'preact';
import type { Change } from '../../client/use-change.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';

export type ToolFormProps = {
  readonly title: string;
  /** What the button says. */
  readonly action: string;
  readonly onClose: () => void;
};

type Props = ToolFormProps & {
  readonly change: Change;
  readonly shownPaths: readonly string[];
  readonly onSubmit: () => Promise<unknown>;
  readonly children: ComponentChildren;
};

/** The form of a tool; it closes when what it sends is taken. */
export function ToolDialog({ title, action, onClose, change, shownPaths, onSubmit, children }: Props) {
  const submit = async () => {
    if (await change.run(onSubmit)) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        <ErrorNotice error={change.error} shownPaths={shownPaths} />
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={change.isRunning}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Lines that are not empty, without the spaces around them. */
export function trimmed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}
