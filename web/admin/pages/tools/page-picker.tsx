import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.ts';
import type { ToolPage } from '../../generated-types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { TextField } from '../../parts/fields.tsx';

type Props = {
  readonly engineId: string;
  readonly title: string;
  readonly onPick: (page: ToolPage) => void;
  readonly onClose: () => void;
};

/** Long enough that typing asks once. */
const REST_MS = 150;

/** A document by its URL, a part of it, or words of it. */
export function PagePicker({ engineId, title, onPick, onClose }: Props) {
  const [text, setText] = useState('');
  const near = useRested(text.trim());
  const path = near === '' ? undefined : `/engines/${engineId}/pages?${new URLSearchParams({ near })}`;
  const { answer, error, reload } = useAnswer<{ readonly items: readonly ToolPage[] }>(path);
  const pages = answer?.items ?? [];
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = pages;
          if (first !== undefined) onPick(first);
        }}
      >
        <TextField label="URL or words of the page" value={text} onInput={setText} isFocused />
      </form>
      <ErrorNotice error={error} onRetry={reload} />
      <ul class="picks" aria-live="polite">
        {pages.map((page) => (
          <li key={page.documentId}>
            <button type="button" class="pick" onClick={() => onPick(page)}>
              <span class="any" dir="auto">
                {page.title === '' ? page.url : page.title}
              </span>
              <span class="small quiet any" dir="ltr">
                {page.url}
              </span>
            </button>
          </li>
        ))}
        {answer !== undefined && pages.length === 0 && <li class="quiet">No page of this engine is like that</li>}
      </ul>
      <div class="dialog-foot">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

/** The text once it has not changed for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
