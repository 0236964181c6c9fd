import type { FossickError } from '../../packages/client/src/index.ts';
import type { Language } from '../messages/language.ts';
import { useLanguage } from '../parts/language.ts';

type Props = { readonly error: FossickError; readonly onRetry: () => void };

export function ErrorNotice({ error, onRetry }: Props) {
  const language = useLanguage();
  const { text } = language;
  return (
    <div class="notice" role="alert">
      <h2>{text('error.searchTitle')}</h2>
      <p>{explain(language, error)}</p>
      {error.requestId && <p class="reference">{text('error.reference', { id: error.requestId })}</p>}
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
