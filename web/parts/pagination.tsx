import { InPageLink } from './in-page-link.tsx';
import { useLanguage } from './language.ts';
import { pageWindow } from './page-window.ts';

type Props = {
  readonly page: number;
  readonly pageCount: number;
  readonly hrefOf: (page: number) => string;
  readonly onPick: (page: number) => void;
};

export function Pagination({ page, pageCount, hrefOf, onPick }: Props) {
  const { text, number } = useLanguage();
  if (pageCount < 2) return null;
  const link = (target: number, shown: string, label: string) => (
    <InPageLink href={hrefOf(target)} label={label} isCurrent={target === page} onPick={() => onPick(target)}>
      {shown}
    </InPageLink>
  );
  // From right to left the browser turns ‹ and › round (Unicode, Bidi_Mirrored).
  return (
    <nav class="pages" aria-label={text('pages.label')}>
      <ul>
        {page > 1 && <li>{link(page - 1, `‹ ${text('pages.previous')}`, text('pages.previousLabel'))}</li>}
        {pageWindow(page, pageCount).map((target) => (
          <li key={target}>{link(target, number(target), text('pages.page', { page: target }))}</li>
        ))}
        {page < pageCount && <li>{link(page + 1, `${text('pages.next')} ›`, text('pages.nextLabel'))}</li>}
      </ul>
    </nav>
  );
}
