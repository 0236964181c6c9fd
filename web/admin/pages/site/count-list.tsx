import { formatCount } from '../../parts/format.ts';

export type Count = { readonly label: string; readonly count: number; readonly href?: string | undefined };

/** Counts, each with its share as a bar, leading to what was counted. */
export function CountList({ counts }: { readonly counts: readonly Count[] }) {
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return (
    <ul class="counts">
      {counts.map(({ label, count, href }) => {
        const content = (
          <>
            <span class="count-bar" style={{ inlineSize: `${(100 * count) / most}%` }} />
            <bdi class="cut" title={label}>
              {label}
            </bdi>
            <span>{formatCount(count)}</span>
          </>
        );
        return (
          <li key={label}>
            {href === undefined ? <span class="count-row">{content}</span> : <a href={href}>{content}</a>}
          </li>
        );
      })}
    </ul>
  );
}
