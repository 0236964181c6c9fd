import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

type Props = {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Asked to close: Escape, or a button of it. */
  readonly onClose: () => void;
  readonly isWide?: boolean;
};

/** A modal dialog, open as long as it is drawn. The browser keeps the focus in it and gives it back. */
export function Dialog({ title, children, onClose, isWide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
