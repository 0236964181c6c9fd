import { pageWindow } from './page-window.ts';

type Props = {
  readonly page: number;
  readonly pageCount: number;
  readonly hrefOf: (page: number) => string;
  readonly onPick: (page: number) => void;
};

/** Links, so that a page can be opened in a new tab; a plain click stays on the page. */
export function Pagination({ page, pageCount, hrefOf, onPick }: Props) {
  if (pageCount < 2) return null;
  const link = (target: number, text: string, label: string) => (
    <a
      href={hrefOf(target)}
      aria-label={label}
      aria-current={target === page ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onPick(target);
      }}
    >
      {text}
    </a>
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
