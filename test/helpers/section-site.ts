import { type Random, seededRandom } from './random.ts';
import type { TemplatePage } from './template-site.ts';

const SECTIONS = 'algorithms,containers,iterators,locales,numerics,streams,strings,threads,times,types'.split(',');
const PARTS = 'Concepts,Member functions,Views and ranges,Requirements,Constants,Observers,Modifiers'.split(',');
const VERBS = 'copies,moves,removes,counts,compares,merges,reverses,splits,fills,replaces,shifts,swaps'.split(',');
const THINGS = 'elements,ranges,values,characters,blocks,handles,buffers,pairs,nodes,records'.split(',');
const CASES = 'in order,at the end,before the position given,without a copy,at most once,in place,by key'.split(',');

/**
 * Pages of one documentation, in sections of twelve pages and the one that leads to them. On every page stands the menu
 * of its section, which only a style sheet hides: rows of names and what they are since, a tenth of the site each.
 */
export function sectionSite(seed: number): readonly TemplatePage[] {
  const random = seededRandom(seed);
  return SECTIONS.flatMap((section) => {
    const names = Array.from(
      { length: 12 },
      (_, at) => `${random.pick(VERBS)}_${random.pick(THINGS)}_${section}_${at}`,
    );
    const menu = menuOf(random, section, names);
    const pages = names.map((name) => pageOf(random, { path: `/library/${section}/${name}.html`, name, menu }));
    return [pageOf(random, { path: `/library/${section}.html`, name: `the ${section} library`, menu }), ...pages];
  });
}

type Menu = { readonly html: string; readonly texts: readonly string[] };

function menuOf(random: Random, section: string, names: readonly string[]): Menu {
  const texts: string[] = [];
  const rows = names.flatMap((name, at) => {
    const since = `since ${section} ${random.whole(1, 9)}`;
    texts.push(`${name} ${since}`);
    const row = `<tr><td><a href="/library/${section}/${name}.html">${name}</a> <span class="mark">${since}</span></td></tr>`;
    if (at % 4 !== 0) return [row];
    const part = `${random.pick(PARTS)} of the ${section} library`;
    texts.push(part);
    return [`<tr><td>${part}</td></tr>`, row];
  });
  return { html: `<div class="menu"><div><table>${rows.join('')}</table></div></div>`, texts };
}

type Made = { readonly path: string; readonly name: string; readonly menu: Menu };

function sentence(random: Random, name: string): string {
  const what = `${random.pick(VERBS)} the ${random.pick(THINGS)} of its argument ${random.pick(CASES)}`;
  return `Then ${name} ${what}, and ${random.pick(VERBS)} what is left ${random.pick(CASES)}.`;
}

function pageOf(random: Random, { path, name, menu }: Made): TemplatePage {
  const own = random.list(2, 5, () =>
    [sentence(random, name), ...random.list(1, 3, () => sentence(random, name))].join(' '),
  );
  const [first = '', ...others] = own;
  const texts = others.map((text) => `<p>${text}</p>`).join('');
  return {
    path,
    own,
    repeated: menu.texts,
    html: `<!doctype html><html lang="en"><head><title>${name} - Reference</title><link rel="stylesheet" href="/site.css"></head><body>
<div id="base"><h1>${name}</h1><div id="text">${menu.html}<p>${first}</p><h3>Notes</h3>${texts}</div></div>
</body></html>`,
  };
}
