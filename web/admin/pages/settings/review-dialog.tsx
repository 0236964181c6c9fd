import { useEffect, useState } from 'preact/hooks';
import { FossickError } from '../../../../packages/client/src/fossick-error.ts';
import { useAdmin } from '../../client/client-context.ts';
import { useChange } from '../../client/use-change.ts';
import type { SettingsPreview } from '../../generated-types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCount, formatCounted } from '../../parts/format.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type ChangedValue, shownValue } from './setting-values.ts';
import type { SettingsRecord } from './settings-editor.tsx';

type Props = {
  readonly recordPath: string;
  readonly hasPreview: boolean;
  readonly etag: string | undefined;
  readonly patch: Readonly<Record<string, unknown>>;
  readonly changes: readonly ChangedValue[];
  readonly onClose: () => void;
  /** The preview: what the next run will do. */
  readonly onSaved: (preview: SettingsPreview | undefined) => void;
  readonly onChangedElsewhere: (newer: SettingsRecord) => void;
  /** The API says what is wrong with which member. */
  readonly onRefused: (error: FossickError) => void;
};

/** What changes would do, and the button that saves them. */
export function ReviewDialog(props: Props) {
  const { recordPath, hasPreview, etag, patch, changes, onClose, onSaved } = props;
  const client = useAdmin();
  const change = useChange();
  const preview = usePreview(props);
  const save = async () => {
    const query = { preview: preview.answer?.token };
    const isSaved = await change.run(() => client.patch(recordPath, { body: patch, query, ifMatch: etag }));
    if (!isSaved) return;
    onSaved(preview.answer);
    onClose();
  };
  const error = change.error ?? preview.error;
  useRefusal(error, props);
  const leaving = preview.answer?.leave.documents ?? 0;
  const isReady = !hasPreview || preview.answer !== undefined;
  return (
    <Dialog title="Save these changes?" onClose={onClose} isWide>
      <ul class="stack">
        {changes.map(({ path, before, after }) => (
          <li key={path} class="change">
            <code>{path}</code>
            <pre class="any">
              <del>{shownValue(before)}</del>
            </pre>
            <pre class="any">
              <ins>{shownValue(after)}</ins>
            </pre>
          </li>
        ))}
      </ul>
      {hasPreview && preview.answer === undefined && preview.error === undefined && <Skeleton lines={2} />}
      {preview.answer !== undefined && <Effects preview={preview.answer} />}
      <ErrorNotice error={error} onRetry={preview.error === undefined ? undefined : preview.reload} />
      <div class="dialog-foot">
        <button type="button" onClick={onClose}>
          Go on editing
        </button>
        <button
          type="button"
          class={leaving > 0 ? 'danger main' : 'main'}
          disabled={!isReady || change.isRunning}
          onClick={() => void save()}
        >
          {leaving > 0 ? `Save, and remove ${formatCounted(leaving, 'document')}` : 'Save'}
        </button>
      </div>
    </Dialog>
  );
}

/** What the form has to show closes the dialog: members that are refused, and what somebody else has saved. */
function useRefusal(error: unknown, { recordPath, onClose, onChangedElsewhere, onRefused }: Props): void {
  const client = useAdmin();
  useEffect(() => {
    if (!(error instanceof FossickError)) return;
    if (error.errorCode === 'record.changed') {
      void client
        .get<SettingsRecord>(recordPath)
        .then(({ body }) => onChangedElsewhere(body))
        .finally(onClose);
    } else if (error.problems.length > 0) {
      onRefused(error);
      onClose();
    }
  }, [error]);
}

function usePreview({ recordPath, hasPreview, patch }: Props) {
  const client = useAdmin();
  const [state, setState] = useState<{ readonly answer?: SettingsPreview; readonly error?: unknown }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!hasPreview) return;
    const leave = new AbortController();
    setState({});
    client
      .post<SettingsPreview>(`${recordPath}/preview`, { body: { config: settingsIn(patch) }, signal: leave.signal })
      .then(
        ({ body }) => setState({ answer: body }),
        (error: unknown) => leave.signal.aborted || setState({ error }),
      );
    return () => leave.abort();
  }, [client, recordPath, hasPreview, patch, round]);
  return { ...state, reload: () => setRound((last) => last + 1) };
}

/** A name removes no documents, and is no setting. */
function settingsIn({ name: _, ...settings }: Props['patch']): Props['patch'] {
  return settings;
}

/** Whether a run has something to do. */
export function hasEffects({ leave, enter, merge, revisit }: SettingsPreview): boolean {
  return leave.documents + enter.urls + merge.groups + revisit > 0;
}

function Effects({ preview }: { readonly preview: SettingsPreview }) {
  const { leave, enter, merge, revisit } = preview;
  if (!hasEffects(preview)) {
    return <p class="quiet">No document leaves, and none is read anew.</p>;
  }
  return (
    <div class="stack">
      <p>The next run does it:</p>
      {leave.documents > 0 && (
        <div class="notice bad">
          <strong>{formatCounted(leave.documents, 'document')} will leave the search</strong>
          <ul class="stack">
            {leave.byRule.map(({ rule, count, samples }) => (
              <li key={rule}>
                <code>{rule}</code> {formatCount(count)}
                <ul class="small">
                  {samples.map((url) => (
                    <li key={url} class="any">
                      {url}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </div>
      )}
      {enter.urls > 0 && (
        <details>
          <summary>{formatCounted(enter.urls, 'known URL')} without a document will be visited</summary>
          <ul class="small quiet">
            {enter.samples.map((url) => (
              <li key={url} class="any">
                {url}
              </li>
            ))}
          </ul>
        </details>
      )}
      {merge.groups > 0 && (
        <details>
          <summary>{formatCounted(merge.groups, 'URL')} will stand for several known ones</summary>
          <ul class="small quiet">
            {merge.samples.map(({ url, from }) => (
              <li key={url} class="any">
                {url} ← {from.join(', ')}
              </li>
            ))}
          </ul>
        </details>
      )}
      {revisit > 0 && <p>{formatCounted(revisit, 'page')} will be read anew.</p>}
    </div>
  );
}
