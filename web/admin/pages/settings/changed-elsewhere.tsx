import { type ChangedValue, type Draft, shownValue } from './setting-values.ts';

type Props = {
  /** What somebody else has saved since the form was opened. */
  readonly others: readonly ChangedValue[];
  readonly draft: Draft;
  /** Takes the value of the other one. */
  readonly onTake: (path: string) => void;
};

/** Two people at once: the second sees what the first has changed before saving over it. */
export function ChangedElsewhere({ others, draft, onTake }: Props) {
  if (others.length === 0) return null;
  return (
    <div class="notice warn" role="alert">
      <strong>Somebody else changed this in the meantime</strong>
      <ul class="stack">
        {others.map(({ path, before, after }) => (
          <li key={path} class="row">
            <code>{path}</code>
            <span class="any">
              <del>{shownValue(before)}</del> → <ins>{shownValue(after)}</ins>
            </span>
            {draft.has(path) && (
              <>
                <span class="any">
                  yours: <strong>{shownValue(draft.get(path)?.value)}</strong>
                </span>
                <button type="button" onClick={() => onTake(path)}>
                  Take theirs
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      <p>What you typed is still here. Look at it again, and save.</p>
    </div>
  );
}
