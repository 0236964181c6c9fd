import { expect, test } from 'vitest';
import { extractHtml } from '../../helpers/extract-html.ts';

const TEXT = `<p>${'Boats are moored at the quay with two ropes, and looked after by the harbour. '.repeat(5)}</p>`;
const LIST = (links: number, more = '') =>
  `<ul>${Array.from({ length: links }, (_, i) => `<li><a href="/boats/${i}">lumo_boat_number_${i}</a>${more}</li>`).join('')}</ul>`;

async function kindOf(title: string, body: string, url?: string) {
  const page = `<title>${title}</title><main><h1>${title}</h1>${body}</main>`;
  const { structure } = await extractHtml(page, url === undefined ? {} : { url });
  return structure.pageKind;
}

test.each([
  ['a list of links', 'Members of Boat', LIST(40), undefined, 'index'],
  ['a short list of links', 'See also', LIST(20), undefined, undefined],
  [
    'links that are told about',
    'Boats',
    LIST(40, `, which is ${'long and blue and '.repeat(4)}old`),
    undefined,
    undefined,
  ],
  ['a text with some links', 'Boats', TEXT.repeat(3) + LIST(30), undefined, undefined],
  ['source code of Sphinx', 'lumo.yard', TEXT, 'https://docs.test/_modules/lumo/yard.html', 'source'],
  ['source code of Doxygen', 'yard.hpp Source File', TEXT, 'https://docs.test/yard_8hpp_source.html', 'source'],
  ['source code of others', 'Source code for lumo.yard', TEXT, 'https://docs.test/code/yard', 'source'],
  ['uses of a class', 'Uses of Class Boat', TEXT, 'https://docs.test/com/lumo/class-use/Boat.html', 'index'],
  ['uses of a package', 'Uses of Package com.lumo', TEXT, 'https://docs.test/com/lumo/package-use.html', 'index'],
  [
    'a tree of classes',
    'Hierarchy For Package com.lumo',
    TEXT,
    'https://docs.test/com/lumo/package-tree.html',
    'index',
  ],
  ['a release', 'Release 15.4', TEXT, 'https://docs.test/release-15-4.html', 'history'],
  ['a change log', 'What is different', TEXT, 'https://docs.test/changelog.html', 'history'],
  ['release notes', 'Lumo release notes for spring', TEXT, 'https://docs.test/spring', 'history'],
  ['a page about releasing', 'Releasing boats', TEXT, 'https://docs.test/releasing-boats.html', undefined],
  ['the history of a town', 'The town in two centuries', TEXT, 'https://town.test/about/history', undefined],
])('%s', async (_what, title, body, url, kind) => {
  expect(await kindOf(title, body, url)).toBe(kind);
});
