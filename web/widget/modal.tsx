import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useLanguage } from '../parts/language.ts';
import { moveFocus } from './move-focus.ts';
import { isEmpty, Panel, type PanelProps } from './panel.tsx';
import { Glass, SearchForm } from './search-form.tsx';

type Props = PanelProps & {
  readonly isOpen: boolean;
  readonly placeholder: string | undefined;
  /** Without an element of the page that opens it, the widget has a button of its own. */
  readonly hasButton: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
};

/** A modal dialog of the platform: above everything, the page behind is inert, and the focus goes back when it closes. */
export function Modal({ isOpen, placeholder, hasButton, onOpen, onClose, ...props }: Props) {
  const { text } = useLanguage();
  const dialog = useRef<HTMLDialogElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return dialog.current?.close();
    if (dialog.current?.open === false) dialog.current.showModal();
    box.current?.focus();
    // What is being typed goes on at its end.
    if (props.model.typing === undefined) box.current?.select();
  }, [isOpen]);
  useScrollLock(isOpen);
  const { state } = props.model.asked;
  useEffect(() => panel.current?.scrollTo(0, 0), [state]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (box.current && panel.current && moveFocus(event, box.current, panel.current)) event.preventDefault();
  };
  return (
    <>
      {hasButton && (
        <button type="button" class="floating" aria-haspopup="dialog" onClick={onOpen}>
          <Glass />
          {text('box.submit')}
        </button>
      )}
      <dialog
        ref={dialog}
        class="modal"
        aria-modal="true"
        aria-label={text('page.name')}
        onClose={onClose}
        onClick={(event) => event.target === dialog.current && onClose()}
        onKeyDown={onKeyDown}
      >
        <div class="sheet">
          <SearchForm model={props.model} placeholder={placeholder} box={box} onClose={onClose} />
          <div ref={panel} class={isEmpty(props.model) ? 'panel empty' : 'panel'}>
            <Panel {...props} />
          </div>
          <p class="keys" aria-hidden="true">
            <span>
              <kbd>↑</kbd> <kbd>↓</kbd>
            </span>
            <span>
              <kbd>↵</kbd>
            </span>
            <span>
              <kbd>esc</kbd>
            </span>
          </p>
        </div>
      </dialog>
    </>
  );
}

/** The page behind a dialog does not scroll, and keeps the place of its scroll bar. */
function useScrollLock(isOn: boolean): void {
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const lock = new CSSStyleSheet();
    const hasBar = window.innerWidth > document.documentElement.clientWidth;
    lock.replaceSync(`html { overflow: hidden !important; ${hasBar ? 'scrollbar-gutter: stable;' : ''} }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, lock];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== lock);
    };
  }, [isOn]);
}
