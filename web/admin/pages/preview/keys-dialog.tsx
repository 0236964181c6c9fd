import { Dialog } from '../../parts/dialog.tsx';

const KEYS: readonly (readonly [string, string])[] = [
  ['j, k', 'Next and previous hit'],
  ['Enter', 'Open the page of the hit'],
  ['p', 'Pin it where it stands, or release it'],
  ['1 to 9', 'Pin it at this place'],
  ['u, d', 'One place up, one place down'],
  ['h', 'Hide it for this query'],
  ['w', 'Why it is here'],
  ['a', 'Add a page that is not among the hits'],
  ['z', 'Take back the last change'],
  ['s', 'Save all changes'],
  ['/', 'Search'],
  ['?', 'These keys'],
];

/** What one can do without a pointer; each has a button as well. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys of this page" onClose={onClose}>
      <dl class="keys-list">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(', ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-foot">
        <button type="button" class="main" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
