import { useState } from 'preact/hooks';
import { SafeLink } from '../../../parts/safe-link.tsx';
import { useAdmin, useMay } from '../../client/client-context.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { useChange } from '../../client/use-change.ts';
import type { GoldenQuestion, GoldenQuestionState } from '../../generated-types.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LinesField, TextField } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { StatusPill, type Tone } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ToolDialog, trimmed } from '../tools/tool-dialog.tsx';
import type { ViewProps } from './visitors-page.tsx';

type State = { readonly label: string; readonly tone: Tone };

const STATES: Readonly<Record<GoldenQuestionState['state'], State>> = {
  right: { label: 'Right', tone: 'good' },
  wrong: { label: 'Wrong', tone: 'bad' },
  regressed: { label: 'Was right before', tone: 'bad' },
  'not-asked': { label: 'Not asked yet', tone: 'idle' },
};

/** Questions whose answers are watched: each is asked again when pages change. */
export function GoldenView({ engineId }: ViewProps) {
  const client = useAdmin();
  const mayEdit = useMay('editor');
  const { answer, error, reload } = useAnswer<{ readonly items: readonly GoldenQuestionState[] }>(
    `/engines/${engineId}/statistics/golden`,
  );
  const [isAdding, setAdding] = useState(false);
  const act = useAction(reload);
  const path = `/engines/${engineId}/golden-questions`;
  const remove = async ({ id, question }: GoldenQuestionState) => {
    const { body } = await client.get<{ readonly items: readonly GoldenQuestion[] }>(path, { query: { limit: 100 } });
    const stored = body.items.find((one) => one.id === id);
    await act({
      work: () => client.delete(`${path}/${id}`),
      done: `“${question}” is not watched any more`,
      undo:
        stored &&
        (
          ({ mustCite, mustContain }) =>
          () =>
            client.post(path, { body: { question, mustCite, mustContain } })
        )(stored),
    });
  };
  return (
    <div class="stack">
      <div class="spread">
        <p class="quiet">Each is asked again when pages change, and must cite or say what you name.</p>
        <div class="row">
          <DownloadButton
            path={`/engines/${engineId}/statistics/golden?format=csv`}
            file="golden-questions.csv"
            label="CSV"
          />
          {mayEdit && (
            <>
              <button
                type="button"
                onClick={() =>
                  void act({ work: () => client.post(`${path}/ask`, { body: {} }), done: 'All questions were asked' })
                }
              >
                Ask all now
              </button>
              <button type="button" class="main" onClick={() => setAdding(true)}>
                <Icon name="plus" /> New question
              </button>
            </>
          )}
        </div>
      </div>
      <DataTable
        label="Golden questions"
        rows={answer?.items}
        error={error}
        onRetry={reload}
        keyOf={({ id, composer }) => `${id} ${composer}`}
        empty={<EmptyState icon="check" title="No question is watched yet" />}
        columns={[
          { title: 'Question', show: ({ question }) => <bdi>{question}</bdi> },
          {
            title: 'State',
            show: ({ state, since }) => (
              <>
                <StatusPill tone={STATES[state].tone}>{STATES[state].label}</StatusPill>
                {since !== null && (
                  <div class="small quiet">
                    since <TimeText at={since} />
                  </div>
                )}
              </>
            ),
          },
          { title: 'What is wrong', show: (state) => <Faults state={state} /> },
          { title: 'Writer', isSecondary: true, show: ({ composer }) => COMPOSERS[composer] },
          { title: 'Asked', isSecondary: true, show: ({ askedAt }) => <TimeText at={askedAt} /> },
          {
            title: 'What to do',
            isActions: true,
            show: (state) =>
              mayEdit && (
                <button
                  type="button"
                  class="plain"
                  aria-label={`Remove ${state.question}`}
                  onClick={() => void remove(state)}
                >
                  <Icon name="remove" />
                </button>
              ),
          },
        ]}
      />
      {isAdding && <NewQuestion path={path} onClose={() => setAdding(false)} onAdded={reload} />}
    </div>
  );
}

const COMPOSERS = { extractive: 'quotes', model: 'model' } as const;

function Faults({ state }: { readonly state: GoldenQuestionState }) {
  const { refusal, missingPages, missingTexts, changed, lastRightAt } = state;
  return (
    <ul class="faults">
      {refusal !== null && <li>Not answered: {refusal}</li>}
      {missingPages.map((page) => (
        <li key={page} class="any">
          does not cite <span dir="ltr">{page}</span>
        </li>
      ))}
      {missingTexts.map((text) => (
        <li key={text}>
          does not say <bdi>“{text}”</bdi>
        </li>
      ))}
      {changed.map(({ document, url, seq }) => (
        <li key={document} class="any">
          {seq === null ? 'removed since: ' : 'changed since: '}
          <SafeLink address={url}>{url}</SafeLink>
        </li>
      ))}
      {state.state === 'regressed' && (
        <li>
          right until <TimeText at={lastRightAt} />
        </li>
      )}
    </ul>
  );
}

type NewProps = { readonly path: string; readonly onClose: () => void; readonly onAdded: () => void };

function NewQuestion({ path, onClose, onAdded }: NewProps) {
  const client = useAdmin();
  const change = useChange();
  const [question, setQuestion] = useState('');
  const [mustCite, setCite] = useState<readonly string[]>([]);
  const [mustContain, setContain] = useState<readonly string[]>([]);
  const send = async () => {
    const body = { question, mustCite: trimmed(mustCite), mustContain: trimmed(mustContain) };
    await client.post(path, { body });
    onAdded();
  };
  return (
    <ToolDialog
      title="New golden question"
      action="Watch it"
      change={change}
      shownPaths={['question', 'mustCite', 'mustContain']}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField
        label="Question"
        value={question}
        isRequired
        isFocused
        problem={change.problemOf('question')}
        onInput={setQuestion}
      />
      <LinesField
        label="Pages that the answer must cite"
        hint="URLs, one a line; “ | ” between pages of which one is enough."
        values={mustCite}
        problem={change.problemOf('mustCite')}
        onChange={setCite}
      />
      <LinesField
        label="Texts that it must contain"
        values={mustContain}
        problem={change.problemOf('mustContain')}
        onChange={setContain}
      />
    </ToolDialog>
  );
}
