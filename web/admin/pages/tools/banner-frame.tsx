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

const SCRIPTS = /<script\b[\s\S]*?(?:<\/script\s*>|$)/gi;
const HANDLERS = /(?<=\s)on[a-z]+(?=\s*=)/gi;

/** Without what the frame would not run anyway, so that the browser does not complain: the frame is what keeps it out. */
function documentOf(html: string): string {
  const shown = html.replace(SCRIPTS, '').replace(HANDLERS, 'data-off');
  const head = '<meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Banner</title>';
  return `<!doctype html>${head}<body>${shown}`;
}
