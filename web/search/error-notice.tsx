import type { ApiError } from '../client/api-error.ts';

type Props = { readonly error: ApiError; readonly onRetry: () => void };

export function ErrorNotice({ error, onRetry }: Props) {
  return (
    <div class="notice" role="alert">
      <h2>The search did not work</h2>
      <p>{explain(error)}</p>
      {error.requestId && <p class="reference">Support reference: {error.requestId}</p>}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

function explain({ status, message, retryAfterSeconds }: ApiError): string {
  if (status === 0) return 'The search service could not be reached. Check your connection and try again.';
  if (status === 401 || status === 403) return 'This page is not allowed to search. Its site key may be out of date.';
  if (status === 429) return `Too many searches at once. Try again in ${retryAfterSeconds ?? 1} s.`;
  if (status >= 500) return 'Something went wrong on our side. Try again in a moment.';
  return message;
}
