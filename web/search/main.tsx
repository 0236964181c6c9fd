import { render } from 'preact';
import { createSearchClient, createTrackingClient } from '../../packages/client/src/index.ts';
import { createCompleteClient } from '../client/complete-client.ts';
import { readPageSettings } from '../client/page-settings.ts';
import { createWritingClient } from '../client/writing-client.ts';
import { loadCatalogue } from '../messages/catalogues.ts';
import { createLanguage } from '../messages/language.ts';
import { LanguageProvider } from '../parts/language.ts';
import { readInstantSuggestions } from './instant-suggestions.ts';
import { loadConversation } from './lazy-conversation.tsx';
import { PageLookProvider } from './page-look.tsx';
import {
  keepPreferences,
  NO_PREFERENCES,
  type Preferences,
  preferredLanguage,
  readPreferences,
} from './preferences.ts';
import { createRecentSearches } from './recent-searches.ts';
import { SearchPage } from './search-page.tsx';

const settings = readPageSettings(document.head);
// Whoever searches sees at once that it failed, and decides whether to ask again.
const engine = { ...settings, retries: 0 };
const look = { ...settings.texts, logo: settings.theme.logo };
const page = document.querySelector('#page');
const client = createSearchClient(engine);
const publicSettings = client.readPublicSettings();
const clients = {
  answers: createWritingClient(engine),
  conversationLoaded: settings.features.answers ? loadConversation() : Promise.resolve(undefined),
  search: client.search,
  complete: createCompleteClient(client),
  tracking: createTrackingClient(engine, publicSettings),
  readInstant: () => readInstantSuggestions(publicSettings),
  recent: createRecentSearches(settings.engineId),
};
// No `await` out here: what is imported later imports this file, and each would wait for the other.
const menuLoaded = settings.visitorLanguage ? loadMenu() : Promise.resolve(undefined);
if (page) void show(page, settings.visitorLanguage ? readPreferences() : NO_PREFERENCES);

/** Few pages have it; without its file there is none. */
function loadMenu() {
  return import('./preferences-menu.tsx').then(
    (module) => module.PreferencesMenu,
    () => undefined,
  );
}

/** Draws the page in the visitor's language and colours; what was asked and found stays. */
async function show(place: Element, preferences: Preferences) {
  const { documentElement: root } = document;
  root.dataset['scheme'] = preferences.scheme ?? 'auto';
  const { code, catalogue } = await loadCatalogue([preferredLanguage(preferences, settings.language)]);
  const Menu = await menuLoaded;
  const language = createLanguage(code, catalogue);
  root.lang = code;
  root.dir = language.direction;
  const choose = (chosen: Preferences) => {
    keepPreferences(chosen);
    void show(place, chosen);
  };
  render(
    <LanguageProvider value={language}>
      <PageLookProvider value={look}>
        <SearchPage engineName={settings.name} {...clients} />
        {Menu && <Menu preferences={preferences} hasSchemes={settings.theme.scheme === 'auto'} onChoose={choose} />}
      </PageLookProvider>
    </LanguageProvider>,
    place,
  );
}
