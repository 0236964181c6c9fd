import { render } from 'preact';
import { createSearchClient, createTrackingClient } from '../../packages/client/src/index.ts';
import { createCompleteClient } from '../client/complete-client.ts';
import { readPageSettings } from '../client/page-settings.ts';
import { createWritingClient } from '../client/writing-client.ts';
import { loadCatalogue } from '../messages/catalogues.ts';
import { createLanguage } from '../messages/language.ts';
import { LanguageProvider } from '../parts/language.ts';
import { readInstantSuggestions } from './instant-suggestions.ts';
import { PageLookProvider } from './page-look.tsx';
import {
  keepPreferences,
  NO_PREFERENCES,
  type Preferences,
  preferredLanguage,
  readPreferences,
} from './preferences.ts';
import { PreferencesMenu } from './preferences-menu.tsx';
import { createRecentSearches } from './recent-searches.ts';
import { SearchPage } from './search-page.tsx';

const settings = readPageSettings(document.head);
// Whoever searches sees at once that it failed, and decides whether to ask again.
const engine = { ...settings, retries: 0 };
const look = { ...settings.texts, logo: settings.theme.logo };
const page = document.querySelector('#page');
const client = createSearchClient(engine);
const clients = {
  answers: createWritingClient(engine),
  search: client.search,
  complete: createCompleteClient(client),
  tracking: createTrackingClient(engine),
  readInstant: () => readInstantSuggestions(client),
  recent: createRecentSearches(settings.engineId),
};
if (page) await show(page, settings.visitorLanguage ? readPreferences() : NO_PREFERENCES);

/** Draws the page in the visitor's language and colours; what was asked and found stays. */
async function show(place: Element, preferences: Preferences) {
  const { code, catalogue } = await loadCatalogue([preferredLanguage(preferences, settings.language)]);
  const language = createLanguage(code, catalogue);
  const { documentElement: root } = document;
  root.lang = code;
  root.dir = language.direction;
  root.dataset['scheme'] = preferences.scheme ?? 'auto';
  const choose = (chosen: Preferences) => {
    keepPreferences(chosen);
    void show(place, chosen);
  };
  render(
    <LanguageProvider value={language}>
      <PageLookProvider value={look}>
        <SearchPage engineName={settings.name} {...clients} />
        {settings.visitorLanguage && (
          <PreferencesMenu preferences={preferences} hasSchemes={settings.theme.scheme === 'auto'} onChoose={choose} />
        )}
      </PageLookProvider>
    </LanguageProvider>,
    place,
  );
}
