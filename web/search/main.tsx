import { render } from 'preact';
import { createAnswerClient } from '../client/answer-client.ts';
import { createCompleteClient } from '../client/complete-client.ts';
import { readPageSettings } from '../client/page-settings.ts';
import { createSearchClient } from '../client/search-client.ts';
import { createTrackingClient } from '../client/tracking-client.ts';
import { SearchPage } from './search-page.tsx';

const settings = readPageSettings(document.head);
const page = document.querySelector('#page');
const clients = {
  answers: createAnswerClient(settings),
  search: createSearchClient(settings),
  complete: createCompleteClient(settings),
  tracking: createTrackingClient(settings),
};
if (page) render(<SearchPage engineName={settings.engineName} {...clients} />, page);
