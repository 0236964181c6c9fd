import { expect, test } from 'vitest';
import { crumbsOf } from '../../../web/parts/crumbs.ts';

const PAGE = {
  address: 'https://www.garden.example/visit/getting-here.html',
  breadcrumb: '',
  site: '',
  language: 'en',
};

test.each([
  ['folders as people read them', PAGE, ['Visit']],
  ['no file', { ...PAGE, address: 'https://garden.example/survey.pdf' }, []],
  [
    'a folder that is a page',
    { ...PAGE, address: 'https://garden.example/garden-tools/saws/' },
    ['Garden tools', 'Saws'],
  ],
  ['no folder of the language', { ...PAGE, address: 'https://garden.example/EN/visit/a.html' }, ['Visit']],
  ['what is escaped, readable', { ...PAGE, address: 'https://garden.example/g%C3%A4rten/a.html' }, ['Gärten']],
  ['what cannot be read, as it stands', { ...PAGE, address: 'https://garden.example/g%E4rten/a.html' }, ['G%E4rten']],
  ['the stored way before folders', { ...PAGE, breadcrumb: 'Plan > Getting here' }, ['Plan', 'Getting here']],
  ['the ends of a long way', { ...PAGE, address: 'https://garden.example/a/b/c/d/e/f.html' }, ['A', '…', 'D', 'E']],
  [
    'nothing that all hits have',
    { ...PAGE, address: 'https://garden.example/docs/v2/visit/a.html', commonFolders: 2 },
    ['Visit'],
  ],
  ['one folder at least', { ...PAGE, commonFolders: 3 }, ['Visit']],
  ['nothing of what is no address', { ...PAGE, address: 'pushed-17' }, []],
])('the way to a document has %s', (_what, document, folders) => {
  expect(crumbsOf(document).folders).toEqual(folders);
});

test('a site is called by its name, else by its host', () => {
  expect(crumbsOf({ ...PAGE, site: 'Lindenholm' }).site).toBe('Lindenholm');
  expect(crumbsOf(PAGE).site).toBe('garden.example');
});
