import { render } from 'preact';
import { createAnswerClient } from '../client/answer-client.ts';
import { createCompleteClient } from '../client/complete-client.ts';
import { readPageSettings } from '../client/page-settings.ts';
import { createSearchClient } from '../client/search-client.ts';
import { createTrackingClient } from '../client/tracking-client.ts';
import { loadCatalogue } from '../messages/catalogues.ts';
import { createLanguage } from '../messages/language.ts';
import { LanguageProvider } from '../parts/language.ts';
import { SearchPage } from './search-page.tsx';

const settings = readPageSettings(document.head);
const page = document.querySelector('#page');
const clients = {
  answers: createAnswerClient(settings),
  search: createSearchClient(settings),
  complete: createCompleteClient(settings),
  tracking: createTrackingClient(settings),
};
if (page) {
  const { code, catalogue } = await loadCatalogue([settings.language]);
  const language = createLanguage(code, catalogue);
  document.documentElement.lang = code;
  document.documentElement.dir = language.direction;
  render(
    <LanguageProvider value={language}>
      <SearchPage engineName={settings.engineName} {...clients} />
    </LanguageProvider>,
    page,
  );
}
