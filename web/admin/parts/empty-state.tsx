import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

type Props = {
  readonly icon?: IconName;
  readonly title: string;
  /** What to do next. */
  readonly children?: ComponentChildren;
  /** Buttons that do it. */
  readonly actions?: ComponentChildren;
};

/** Nothing is there: says so, and what to do next. */
export function EmptyState({ icon, title, children, actions }: Props) {
  return (
    <div class="empty">
      {icon !== undefined && <Icon name={icon} />}
      <strong>{title}</strong>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div class="row">{actions}</div>}
    </div>
  );
}
