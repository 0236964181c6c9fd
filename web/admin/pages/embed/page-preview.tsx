import { useEffect, useRef, useState } from 'preact/hooks';
import { type PageTheme, paletteOf } from '../../../../src/core/page-theme.ts';
import { colourSchemeOf, themeProperties, themeSheet } from '../../../../src/core/theme-properties.ts';
import type { Engine } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import type { PageDraft } from './page-draft.ts';

type Props = {
  readonly engine: Engine;
  /** Not saved yet. */
  readonly theme: PageTheme;
  readonly draft: PageDraft;
};

/** How the page would look: itself, once it is published on this host, else a sample in the same colours. */
export function PagePreview(props: Props) {
  const { engine, theme } = props;
  const { page } = engine;
  const [isElsewhere, setElsewhere] = useState(false);
  if (page?.published !== true || isElsewhere) return <Sample {...props} isPublished={page?.published === true} />;
  const path = page.path ?? slugOf(engine.name);
  return <LivePage path={`/s/${path}`} theme={theme} onElsewhere={() => setElsewhere(true)} />;
}

/** As the server makes a path of a name. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'search';
}

type LiveProps = {
  readonly path: string;
  readonly theme: PageTheme;
  /** The page is not on this host or port: the admin pages have one of their own. */
  readonly onElsewhere: () => void;
};

/** The page of this host in a frame, with a style sheet for what is not saved. */
function LivePage({ path, theme, onElsewhere }: LiveProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loads, setLoads] = useState(0);
  const sheet = themeSheet(theme);
  useEffect(() => {
    const shown = frame.current?.contentDocument;
    const sheets = frame.current?.contentWindow as (Window & typeof globalThis) | null | undefined;
    if (shown === null || shown === undefined || sheets === null || sheets === undefined) return;
    const own = new sheets.CSSStyleSheet();
    own.replaceSync(sheet);
    shown.adoptedStyleSheets = [own];
  }, [sheet, loads]);
  return (
    <Card
      title="Preview"
      actions={
        <a class="button" href={path} target="_blank" rel="noreferrer">
          Open the page
        </a>
      }
    >
      {/* To be looked at: the page would take the focus for its box. */}
      <iframe
        ref={frame}
        inert
        class="live-page"
        title="The search page"
        src={path}
        onLoad={({ currentTarget }) => {
          if (currentTarget.contentDocument?.querySelector('meta[name="fossick-page"]') === null) onElsewhere();
          else setLoads((last) => last + 1);
        }}
      />
      <p class="quiet small">Colours, font and corners show at once; texts, logo and language when they are saved.</p>
    </Card>
  );
}

function Sample({ engine, theme, draft, isPublished }: Props & { readonly isPublished: boolean }) {
  // All colours, as those of the admin pages have the same names.
  const whole = { ...theme, light: paletteOf(theme, 'light'), dark: paletteOf(theme, 'dark') };
  const style = { ...themeProperties(whole), colorScheme: colourSchemeOf(theme) };
  return (
    <Card title="Preview">
      <div class="sample" style={style} aria-hidden="true">
        <p class="sample-title">{draft.title === '' ? engine.name : draft.title}</p>
        <div class="sample-box">
          <span>{draft.placeholder === '' ? 'Search' : draft.placeholder}</span>
          <span class="sample-button">Search</span>
        </div>
        {draft.hint !== '' && <p class="sample-quiet">{draft.hint}</p>}
        <div class="sample-card">
          <p class="sample-link">A page that was found</p>
          <p class="sample-quiet">www.example.com › visit</p>
          <p>
            Text of the page with a <mark>word</mark> of the query.
          </p>
        </div>
      </div>
      <p class="quiet small">
        {isPublished
          ? 'A sample: the page itself is at the address for visitors, which is another one than that of the admin pages.'
          : 'A sample: the whole page is shown here once it is published.'}
      </p>
    </Card>
  );
}
