import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

type Props = {
  readonly title: string;
  /** What one does here, in a sentence. */
  readonly about?: ComponentChildren;
  /** Buttons. */
  readonly children?: ComponentChildren;
};

/** The heading of a page, which is the title of the window as well. */
export function PageHead({ title, about, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Fossick`;
  }, [title]);
  return (
    <div class="page-head">
      <div>
        <h1 class="any">
          <bdi>{title}</bdi>
        </h1>
        {about !== undefined && <p>{about}</p>}
      </div>
      {children !== undefined && <div class="row">{children}</div>}
    </div>
  );
}
