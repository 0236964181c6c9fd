import type { Followed, ShownBanner, ShownQuicklink } from '../../packages/client/src/index.ts';
import { BannerCard } from '../parts/banner-card.tsx';
import { useLanguage } from '../parts/language.ts';
import { SafeLink } from '../parts/safe-link.tsx';
import { shortAddress } from '../parts/short-address.ts';

type OnFollow = { readonly onFollow: (followed: Followed) => void };

/** Banners in a region of their own: what stands in them is no result. */
export function Banners({ banners, onFollow }: { readonly banners: readonly ShownBanner[] } & OnFollow) {
  const { text } = useLanguage();
  if (banners.length === 0) return null;
  return (
    <section class="banners" aria-labelledby="announcements">
      {/* Headings of banners follow this one. */}
      <h2 id="announcements" class="unseen">
        {text('results.announcements')}
      </h2>
      {banners.map((banner) => (
        <BannerCard
          key={banner.Id}
          banner={banner}
          onFollow={(address) => onFollow({ kind: 'banner', banner, address })}
        />
      ))}
    </section>
  );
}

type QuicklinkProps = { readonly query: string; readonly links: readonly ShownQuicklink[] } & OnFollow;

/** Direct links that editors set for a query. */
export function Quicklinks({ query, links, onFollow }: QuicklinkProps) {
  const { text } = useLanguage();
  if (links.length === 0) return null;
  return (
    <ul class="quicklinks" aria-label={text('results.quicklinks')}>
      {links.map((quicklink) => (
        <li key={quicklink.Id}>
          <SafeLink address={quicklink.Url} onFollow={() => onFollow({ kind: 'quicklink', quicklink })}>
            {/* A pattern says nothing to visitors; the query that fits it does. */}
            {/[*?]/.test(quicklink.Term) ? query : quicklink.Term}
          </SafeLink>
          <span class="path">{shortAddress(quicklink.Url)}</span>
        </li>
      ))}
    </ul>
  );
}
