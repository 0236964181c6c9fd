import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ShownBanner } from '../../packages/client/src/index.ts';
import { nodesOfMarkup } from './markup.ts';

const OWN_COLORS = /style\s*=[^>]*(?:color|background)/i;

type Props = { readonly banner: ShownBanner; readonly onFollow: (address: string) => void };

/** Markup of an editor, cleaned by the service; the page's policy runs no script of it. Contract: 2.10. */
export function BannerCard({ banner, onFollow }: Props) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => card.current?.replaceChildren(...nodesOfMarkup(banner.Banner)), [banner.Banner]);
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
    if (link !== null && event.button < 2) onFollow(link.href);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: notes clicks on links inside.
    <div
      ref={card}
      class={OWN_COLORS.test(banner.Banner) ? 'banner paper' : 'banner'}
      onClick={follow}
      onAuxClick={follow}
    />
  );
}
