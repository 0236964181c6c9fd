import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageSettings } from '../client/page-settings.ts';
import { useLanguage } from '../parts/language.ts';

/** What the engine's editors put in place of the texts and the sign of the product; null = nothing. */
type PageLook = PageSettings['texts'] & Pick<PageSettings['theme'], 'logo'>;

const PageLookContext = createContext<PageLook>({ title: null, placeholder: null, hint: null, logo: null });

export const PageLookProvider = PageLookContext.Provider;

export function usePageLook(): PageLook {
  return useContext(PageLookContext);
}

/** The editors' title and picture, else the name of the engine and the product's sign. */
export function Brand({ engineName }: { readonly engineName: string }) {
  const { text } = useLanguage();
  const { title, logo } = usePageLook();
  return (
    <>
      {logo === null ? <Sign /> : <img class="logo" src={logo} alt="" />}
      <span>{title ?? (engineName || text('page.name'))}</span>
    </>
  );
}

function Sign() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect class="tile" width="32" height="32" rx="8" />
      <circle class="line" cx="14" cy="14" r="7" />
      <path class="line" d="m19.5 19.5 6 6" />
    </svg>
  );
}
