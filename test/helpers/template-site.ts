import { type Random, seededRandom } from './random.ts';

/** A page of a site that repeats much of itself, and what of it is its own. */
export type TemplatePage = {
  readonly path: string;
  readonly html: string;
  /** Texts that only this page has. */
  readonly own: readonly string[];
  /** Texts that the frame of the site puts on every page. */
  readonly repeated: readonly string[];
};

const SUBJECTS =
  'The harbour,The library,A bicycle,The museum,Our garden,The bakery,A lighthouse,The ferry,The market'.split(',');
const VERBS = 'opens,changes,explains,repairs,shows,collects,prepares,remembers,offers,invites'.split(',');
const OBJECTS =
  'old maps of the coast,bread for the whole week,lamps made of brass,seeds from the northern valley,letters of sailors,boats for the summer,tools that last,songs for the evening,rooms with a view,stories about winter'.split(
    ',',
  );
const PLACES =
  'in the morning,behind the church,near the station,at the end of the quay,before the first frost,on both floors'.split(
    ',',
  );
const NAMES = 'Anholt,Brede,Corsa,Delvig,Eskild,Farum,Gudme,Hornsyld,Idestrup,Jelling,Klitte,Lunden'.split(',');

const HEADER = [
  'Read about our terms of delivery and how we pack',
  'Customers in the north get their parcels on Fridays',
];
const FOOTER = [
  'We are a small company of nine people and answer the telephone ourselves.',
  'Sign up for the letter that we send four times a year to our friends.',
  'All prices hold while stocks last and include what the state asks for.',
];
const ASIDE = [
  'Have you seen the calendar of the season with all its open days?',
  'Gift cards can be ordered until the evening before you need them.',
  'Become a member and pay half for every tour that we arrange.',
];

/** Pages of one site: a third each are articles, goods and lists of both, all within the same frame. */
export function templateSite(seed: number, pages = 12): readonly TemplatePage[] {
  const random = seededRandom(seed);
  return Array.from({ length: pages }, (_, number) => {
    const name = `${NAMES[number % NAMES.length]} ${random.pick(['lamp', 'tour', 'bread', 'boat', 'chair'])} ${number}`;
    const make = [article, goods, list][number % 3] ?? article;
    const { body, own } = make(random, name);
    return {
      path: `/${['stories', 'goods', 'lists'][number % 3]}/${name.toLowerCase().replaceAll(' ', '-')}`,
      html: framed(name, body),
      own,
      repeated: [...HEADER, ...FOOTER, ...ASIDE],
    };
  });
}

type Made = Pick<TemplatePage, 'own'> & { readonly body: string };

function sentence(random: Random): string {
  return `${random.pick(SUBJECTS)} ${random.pick(VERBS)} ${random.pick(OBJECTS)} ${random.pick(PLACES)}.`;
}

function paragraph(random: Random, name: string): string {
  return [`About ${name} one may say this.`, ...random.list(3, 5, () => sentence(random))].join(' ');
}

function article(random: Random, name: string): Made {
  const own = random.list(3, 6, () => paragraph(random, name));
  const repeated = ['This text belongs to our series about things that were made by hand.'];
  return { own, body: `<p>${repeated[0]}</p>${own.map((text) => `<p>${text}</p>`).join('')}` };
}

function goods(random: Random, name: string): Made {
  const own = [paragraph(random, name), paragraph(random, name)];
  const repeated = ['Every order is packed the day after and leaves us before noon.'];
  const rows = `<table><tr><th>Weight</th><td>${random.whole(2, 90)} kg of ${name}</td></tr><tr><th>Made in</th><td>${random.pick(NAMES)}</td></tr></table>`;
  const label = '<h2>Specifications</h2>';
  return {
    own: [...own, 'Specifications'],
    body: `<p>${own[0]}</p><p>${own[1]}</p>${label}${rows}<div class="delivery"><p>${repeated[0]}</p></div>`,
  };
}

function list(random: Random, name: string): Made {
  const own = random.list(4, 7, () => `${sentence(random)} It goes with ${name}.`);
  const repeated = ['Use the buttons above to see more of what we have in store today.'];
  const items = own.map((text, at) => `<li><a href="/goods/${at}">${random.pick(NAMES)} ${at}</a><p>${text}</p></li>`);
  return { own, body: `<p class="hint">${repeated[0]}</p><ul class="items">${items.join('')}</ul>` };
}

function framed(name: string, body: string): string {
  const menu = ['Stories', 'Goods', 'Lists', 'About us', 'Contact'].map((text) => `<a href="/${text}">${text}</a>`);
  const boxes = (texts: readonly string[]) => texts.map((text) => `<div class="box"><p>${text}</p></div>`).join('');
  return `<!doctype html><html lang="en"><head><title>${name} | Nordkyst</title></head><body>
<div class="top"><div>${boxes(HEADER)}</div><ul>${menu.map((link) => `<li>${link}</li>`).join('')}</ul></div>
<div class="page"><div class="middle"><h1>${name}</h1>${body}${boxes(ASIDE)}</div></div>
<div class="end">${boxes(FOOTER)}</div></body></html>`;
}
