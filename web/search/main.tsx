import { render } from 'preact';
import { createSearchClient, createTrackingClient } from '../../packages/client/src/index.ts';
import { createCompleteClient } from '../client/complete-client.ts';
import { readPageSettings } from '../client/page-settings.ts';
import { createWritingClient } from '../client/writing-client.ts';
import { loadCatalogue } from '../messages/catalogues.ts';
import { createLanguage } from '../messages/language.ts';
import { LanguageProvider } from '../parts/language.ts';
import { SearchPage } from './search-page.tsx';

const settings = readPageSettings(document.head);
// Whoever searches sees at once that it failed, and decides whether to ask again.
const engine = { ...settings, retries: 0 };
const page = document.querySelector('#page');
const client = createSearchClient(engine);
const clients = {
  answers: createWritingClient(engine),
  search: client.search,
  complete: createCompleteClient(client),
  tracking: createTrackingClient(engine),
};
if (page) {
  const { code, catalogue } = await loadCatalogue([settings.language]);
  const language = createLanguage(code, catalogue);
  document.documentElement.lang = code;
  document.documentElement.dir = language.direction;
  render(
    <LanguageProvider value={language}>
      <SearchPage engineName={settings.name} {...clients} />
    </LanguageProvider>,
    page,
  );
}
