import { FossickError } from '../../../packages/client/src/fossick-error.ts';

type Props = {
  /** What was thrown; undefined shows nothing. */
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Members whose fields show their own faults. */
  readonly shownPaths?: readonly string[];
};

/** The one place that tells what went wrong with a request. */
export function ErrorNotice({ error, onRetry, shownPaths = [] }: Props) {
  if (error === undefined) return null;
  const { title, text, reference } = describe(error);
  const problems = error instanceof FossickError ? error.problems : [];
  const others = problems.filter(
    ({ path }) => !shownPaths.some((shown) => path === shown || path.startsWith(`${shown}.`)),
  );
  return (
    <div class="notice bad" role="alert">
      <strong>{title}</strong>
      {text !== undefined && <p>{text}</p>}
      {others.length > 0 && (
        <ul>
          {others.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {onRetry !== undefined && (
        <div>
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
      {reference !== undefined && <p class="small quiet">Support reference: {reference}</p>}
    </div>
  );
}

type Description = {
  readonly title: string;
  readonly text?: string | undefined;
  readonly reference?: string | undefined;
};

function describe(error: unknown): Description {
  if (!(error instanceof FossickError)) return { title: 'The page has a fault', text: String(error) };
  const { status, message, errorCode, problems, requestId } = error;
  if (errorCode === 'connection.failed') {
    return { title: 'The connection is lost', text: 'What you typed is still here. Try again when Fossick answers.' };
  }
  if (status === 403) return { title: 'You may not do this', text: message };
  if (errorCode === 'record.changed') return { title: 'Somebody else changed this in the meantime', text: message };
  if (status === 400 && problems.length > 0) return { title: 'Some values are not accepted' };
  return { title: message, reference: status >= 500 ? requestId : undefined };
}
