import { Dialog } from '../../parts/dialog.tsx';
import { changedPins, type Draft, type DraftBase, type DraftPin, mergePins } from './draft.ts';
import type { QueryTools } from './use-query-tools.ts';

type Props = {
  readonly tools: QueryTools;
  /** The pins of the query as somebody else has left them. */
  readonly theirs: DraftBase;
  readonly onClose: () => void;
};

/** Two editors at once: shows what the other one changed, and lets the second one choose. */
export function ConflictDialog({ tools, theirs, onClose }: Props) {
  const { drafts, reload } = tools;
  const { base, pins = [] } = drafts.draft;
  const before = base?.pins ?? [];
  const goOn = (next: Partial<Draft>) => {
    drafts.change(next);
    onClose();
    reload();
  };
  return (
    <Dialog title="Somebody else changed the pins of this query" onClose={onClose} isWide>
      <div class="conflict">
        <Changes title="They changed" before={before} after={theirs.pins} />
        <Changes title="You changed" before={before} after={pins} />
      </div>
      <p class="quiet">Nothing is saved yet: you see the outcome first.</p>
      <div class="dialog-foot">
        <button type="button" onClick={() => goOn({ base: undefined, pins: undefined })}>
          Take theirs, drop mine
        </button>
        <button type="button" onClick={() => goOn({ base: theirs, pins })}>
          Keep mine, drop theirs
        </button>
        <button
          type="button"
          class="main"
          onClick={() => goOn({ base: theirs, pins: mergePins(before, theirs.pins, pins) })}
        >
          Keep both
        </button>
      </div>
    </Dialog>
  );
}

type ChangesProps = {
  readonly title: string;
  readonly before: readonly DraftPin[];
  readonly after: readonly DraftPin[];
};

function Changes({ title, before, after }: ChangesProps) {
  const changed = changedPins(before, after);
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {changed.map(({ documentId, title: name, url }) => (
          <li key={documentId} class="any">
            <bdi>{name === '' ? url : name}</bdi>: {placeText(before, documentId)} → {placeText(after, documentId)}
          </li>
        ))}
        {changed.length === 0 && <li class="quiet">nothing of the pins</li>}
      </ul>
    </section>
  );
}

function placeText(pins: readonly DraftPin[], documentId: string): string {
  const pin = pins.find((one) => one.documentId === documentId);
  if (pin === undefined) return 'not pinned';
  return pin.place === null ? 'hidden' : `place ${pin.place}`;
}
