import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type Props = {
  readonly title: string;
  /** Beside the title, at the end of the line. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A section of a page. */
export function Card({ title, actions, children }: Props) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
