import { render } from 'preact';
import { readPageSettings } from '../client/page-settings.ts';
import { createSearchClient } from '../client/search-client.ts';
import { SearchPage } from './search-page.tsx';

const settings = readPageSettings(document.head);
const page = document.querySelector('#page');
if (page) render(<SearchPage engineName={settings.engineName} search={createSearchClient(settings)} />, page);
