import { useEffect } from 'preact/hooks';
import type { FossickError } from '../../packages/client/src/index.ts';
import type { Language } from '../messages/language.ts';
import { useLanguage } from '../parts/language.ts';

type Props = { readonly error: FossickError; readonly onRetry: () => void };

export function ErrorNotice({ error, onRetry }: Props) {
  const language = useLanguage();
  const { text } = language;
  const isOffline = error.status === 0;
  useEffect(() => {
    if (!isOffline) return;
    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  }, [isOffline, onRetry]);
  return (
    <Notice
      title={text('error.searchTitle')}
      message={explain(language, error)}
      reference={error.requestId}
      onRetry={onRetry}
    />
  );
}

type NoticeProps = {
  readonly title?: string;
  readonly message: string;
  readonly reference?: string | undefined;
  readonly onRetry: () => void;
};

/** Why there are no results, and a way to ask for them again. */
export function Notice({ title, message, reference, onRetry }: NoticeProps) {
  const { text } = useLanguage();
  return (
    <div class="notice" role="alert">
      {title && <h2>{title}</h2>}
      <p>{message}</p>
      {reference && <p class="reference">{text('error.reference', { id: reference })}</p>}
      <button type="button" onClick={onRetry}>
        {text('error.retry')}
      </button>
    </div>
  );
}

function explain({ text }: Language, { status, message, retryAfterSeconds }: FossickError): string {
  if (status === 0) return text('error.searchOffline');
  if (status === 401 || status === 403) return text('error.searchDenied');
  if (status === 429) return text('error.searchBusy', { seconds: retryAfterSeconds ?? 1 });
  if (status >= 500) return text('error.searchFailed');
  return message;
}
