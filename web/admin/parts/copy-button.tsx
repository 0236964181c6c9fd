import { useState } from 'preact/hooks';
import { copyText } from '../../parts/copy-text.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2_000;

/** Copies a text; where the browser does not allow it, it says so. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  const copy = async () => {
    setOutcome((await copyText(text)) ? 'copied' : 'refused');
    setTimeout(() => setOutcome(undefined), SHOWN_MS);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      <Icon name={outcome === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{outcome === undefined ? label : OUTCOMES[outcome]}</span>
    </button>
  );
}

const OUTCOMES = { copied: 'Copied', refused: 'Copy it by hand' };

/** A text to be taken along: a link, a key, a tag. */
export function CopiedText({ text, label }: { readonly text: string; readonly label?: string }) {
  return (
    <div class="copied">
      <code>{text}</code>
      <CopyButton text={text} {...(label !== undefined && { label })} />
    </div>
  );
}
