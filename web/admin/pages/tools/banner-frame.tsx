import { escapeHtml } from '../../../../src/core/escape-html.ts';

/**
 * Markup of an editor in a frame that runs no script, opens nothing and has no origin. The policy of the admin page holds
 * in it as well: pictures of other hosts, which visitors see, are not loaded here.
 */
export function BannerFrame({ name, html }: { readonly name: string; readonly html: string }) {
  return (
    <figure class="banner-frame">
      <figcaption class="small quiet">
        Banner: <bdi>{name}</bdi>
      </figcaption>
      <iframe title={`Banner ${name}`} sandbox="" srcdoc={documentOf(html)} loading="lazy" />
    </figure>
  );
}

function documentOf(html: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml('Banner')}</title><body>${html}`;
}
