import { InPageLink } from './in-page-link.tsx';
import { pageWindow } from './page-window.ts';

type Props = {
  readonly page: number;
  readonly pageCount: number;
  readonly hrefOf: (page: number) => string;
  readonly onPick: (page: number) => void;
};

export function Pagination({ page, pageCount, hrefOf, onPick }: Props) {
  if (pageCount < 2) return null;
  const link = (target: number, text: string, label: string) => (
    <InPageLink href={hrefOf(target)} label={label} isCurrent={target === page} onPick={() => onPick(target)}>
      {text}
    </InPageLink>
  );
  return (
    <nav class="pages" aria-label="Result pages">
      <ul>
        {page > 1 && <li>{link(page - 1, '‹ Previous', 'Previous page')}</li>}
        {pageWindow(page, pageCount).map((target) => (
          <li key={target}>{link(target, String(target), `Page ${target}`)}</li>
        ))}
        {page < pageCount && <li>{link(page + 1, 'Next ›', 'Next page')}</li>}
      </ul>
    </nav>
  );
}
