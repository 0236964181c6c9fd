import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'idle';

/** A state in a word; the colour says it again. */
export function StatusPill({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`pill ${tone}`}>{children}</span>;
}
