import { type ComponentChildren, render } from 'preact';
import {
  createSearchClient,
  createTrackingClient,
  type EngineConnection,
  type PageSettings,
  type TrackingClient,
  tellRefusedOrigin,
} from '../../packages/client/src/index.ts';
import { catalogueOf, chooseLanguage } from '../../src/core/interface-languages.ts';
import { createCompleteClient } from '../client/complete-client.ts';
import type { Catalogue } from '../messages/catalogues.ts';
import { en } from '../messages/en.ts';
import { createLanguage, type Language } from '../messages/language.ts';
import { LanguageProvider } from '../parts/language.ts';
import type { ChunkLoader, ChunkTable } from './chunks.ts';
import { type Attributes, engineOf, type Options, readOptions } from './options.ts';
import { createPart, type Part } from './search-element.ts';
import { type Controls, WidgetView } from './widget-view.tsx';

export type WidgetStart = {
  /** The `data-*` attributes of the tag. */
  readonly options: Attributes;
  /** Address of the product; ends in `/`. */
  readonly root: string;
  readonly loader: ChunkLoader;
};

/** Puts the search of one tag into the page. Rejects when the page has no element of the name that the tag gives. */
export async function startWidget({ options: attributes, root, loader }: WidgetStart): Promise<Controls> {
  const options = readOptions(attributes);
  const { mode, accent, target, results: resultsTarget } = options;
  const engine = engineOf(options.key, root);
  const client = createSearchClient(engine);
  // Whatever is wrong with the key or the service is told where somebody searches.
  const settings = await client.readPageSettings().catch(() => undefined);
  const language = await languageOf(options, settings, loader);
  const theme = settings?.theme.properties ?? {};
  const main = createPart(theme, accent);
  const results = mode === 'results' ? createPart(theme, accent) : undefined;
  place(main, mode === 'modal' ? 'body' : target, 'data-target');
  if (results !== undefined) place(results, resultsTarget, 'data-results');

  const clients = {
    search: tellRefusedOrigin(client.search, engine),
    complete: createCompleteClient(client),
    tracking: lateTracking(engine),
  };
  const show = (part: Part, content: ComponentChildren) =>
    render(
      <LanguageProvider value={language}>
        <div class={`fossick ${options.theme}`} lang={language.code} dir={language.direction}>
          {content}
        </div>
      </LanguageProvider>,
      part.root,
    );
  return new Promise((resolve) => {
    show(
      main,
      <WidgetView
        options={{ ...options, placeholder: options.placeholder ?? settings?.texts.placeholder ?? undefined }}
        engine={engine}
        clients={clients}
        loader={loader}
        parts={results === undefined ? [main] : [main, results]}
        showResults={(content) => results && show(results, content)}
        onReady={resolve}
      />,
    );
  });
}

/** Asks how visitors are tracked when there is something to tell: most views of a page have no search. */
function lateTracking(engine: EngineConnection): TrackingClient {
  let made: TrackingClient | undefined;
  const tracking = () => {
    made ??= createTrackingClient(engine);
    return made;
  };
  return {
    logQuery: (...event) => tracking().logQuery(...event),
    logClick: (...event) => tracking().logClick(...event),
    logCompletedClick: (...event) => tracking().logCompletedClick(...event),
  };
}

/** @throws Error when the page has no such element */
function place({ host }: Part, selector: string | undefined, attribute: string): void {
  const element = selector === undefined ? null : document.querySelector(selector);
  if (element === null) throw new Error(`${attribute} names no element of this page: ${selector ?? 'it is missing'}`);
  element.append(host);
}

/** That of the tag, else of the engine, else of the page; only English is a part of the widget itself. */
async function languageOf(
  { language }: Options,
  settings: PageSettings | undefined,
  loader: ChunkLoader,
): Promise<Language> {
  const visitors = settings?.visitorLanguage ? navigator.languages : [];
  const code = chooseLanguage([language ?? '', ...visitors, settings?.language ?? '', document.documentElement.lang]);
  const name = catalogueOf(code) ?? 'en';
  if (name === 'en') return createLanguage(code, en);
  const { languages } = await loader.load<{ readonly languages: ChunkTable }>('languages');
  const file = await loader.load<Readonly<Record<string, Catalogue>>>(name.toLowerCase(), languages);
  return createLanguage(code, Object.values(file)[0] ?? en);
}
