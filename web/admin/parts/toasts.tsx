import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

type Toast = {
  readonly text: string;
  /** Takes back what the text tells. */
  readonly undo?: (() => Promise<unknown>) | undefined;
};

type Shown = Toast & { readonly id: number };

const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Tells that something is done: `show({ text: 'Run 4 was stopped', undo })`. */
export function useToast(): (toast: Toast) => void {
  return useContext(ToastContext);
}

/** Long enough to read it and to reach its button. */
const SHOWN_MS = 10_000;

/** Texts in the corner, which go by themselves; one that is pointed at or has the focus stays. */
export function ToastProvider({ children }: { readonly children: ComponentChildren }) {
  const [toasts, setToasts] = useState<readonly Shown[]>([]);
  const lastId = useRef(0);
  const hide = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const show = useCallback((toast: Toast) => {
    lastId.current += 1;
    setToasts((all) => [...all.slice(-2), { ...toast, id: lastId.current }]);
  }, []);
  return (
    <ToastContext.Provider value={show}>
      {children}
      <div class="toasts" role="status">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} onHide={() => hide(toast.id)} />
        ))}
      </div>
    </ToastContext.Provider>
  );
}

function ToastItem({ toast, onHide }: { readonly toast: Toast; readonly onHide: () => void }) {
  const [state, setState] = useState<'shown' | 'undoing' | 'undone' | 'failed'>('shown');
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      if (item.current?.matches(':hover, :focus-within') !== true) onHide();
    }, SHOWN_MS);
    return () => clearInterval(timer);
  }, []);
  const undo = async () => {
    setState('undoing');
    const isUndone = await toast.undo?.().then(
      () => true,
      () => false,
    );
    setState(isUndone ? 'undone' : 'failed');
  };
  return (
    <div class="toast" ref={item}>
      <span>{STATES[state] ?? toast.text}</span>
      {toast.undo !== undefined && state === 'shown' && (
        <button type="button" class="link" onClick={() => void undo()}>
          Undo
        </button>
      )}
      <button type="button" class="plain" aria-label="Close" onClick={onHide}>
        <Icon name="close" />
      </button>
    </div>
  );
}

const STATES: Readonly<Record<string, string>> = {
  undone: 'It is undone',
  failed: 'It could not be undone',
};
