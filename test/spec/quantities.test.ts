import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnswerDocument, newDocument } from '../../scripts/evaluate/answers/sets.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 4.2. What is asked for is told by the verb: a weight, a capacity, a duration or a price. Each page says one
// of them, and two other pages say the same of other things.
type Row = readonly [title: string, text: string, question: string];
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  en: [
    [
      'Esker anchor',
      'The Esker anchor weighs 14 kilograms. It folds into a bag of cloth.',
      'How much does the Esker anchor weigh?',
    ],
    [
      'Orlo tank',
      'The Orlo tank holds 60 litres. It is made of steel and painted green.',
      'How much does the Orlo tank hold?',
    ],
    [
      'Linnet ferry',
      'The crossing with the Linnet ferry takes 40 minutes. Tea is served on board.',
      'How much time does the crossing with the Linnet ferry take?',
    ],
    [
      'Mistle lamp',
      'The battery of the Mistle lamp lasts 9 hours. The lamp hangs from a hook.',
      'How long does the battery of the Mistle lamp last?',
    ],
    [
      'Tarn stove',
      'The Tarn stove uses 2 logs an hour. It stands on three legs.',
      'How much wood does the Tarn stove use?',
    ],
    [
      'Wren cabin',
      'The Wren cabin costs 85 euros a night. It has a roof of turf.',
      'How much does the Wren cabin cost?',
    ],
    [
      'Dunlin pilot',
      'The Dunlin pilot charges 120 euros for a trip. He speaks four languages.',
      'How much does the Dunlin pilot charge?',
    ],
  ],
  de: [
    [
      'Anker Eskil',
      'Der Anker Eskil wiegt 14 Kilogramm. Er passt zusammengeklappt in einen Beutel.',
      'Wie viel wiegt der Anker Eskil?',
    ],
    [
      'Tank Orla',
      'Der Tank Orla fasst 60 Liter. Er ist aus Stahl und grün gestrichen.',
      'Wie viel fasst der Tank Orla?',
    ],
    [
      'Fähre Hänfling',
      'Die Überfahrt mit der Fähre Hänfling dauert 40 Minuten. An Bord gibt es Tee.',
      'Wie viel Zeit braucht die Überfahrt mit der Fähre Hänfling?',
    ],
    [
      'Lampe Mistel',
      'Der Akku der Lampe Mistel hält 9 Stunden. Die Lampe hängt an einem Haken.',
      'Wie lange hält der Akku der Lampe Mistel?',
    ],
    [
      'Hütte Zaunkönig',
      'Die Hütte Zaunkönig kostet 85 Euro je Nacht. Sie hat ein Grasdach.',
      'Wie viel kostet die Hütte Zaunkönig?',
    ],
  ],
  fr: [
    [
      'Ancre Esquille',
      'L’ancre Esquille pèse 14 kilos. Elle se plie dans un sac de toile.',
      'Combien pèse l’ancre Esquille ?',
    ],
    [
      'Réservoir Orlo',
      'Le réservoir Orlo contient 60 litres. Il est en acier peint en vert.',
      'Combien contient le réservoir Orlo ?',
    ],
    [
      'Bac Linotte',
      'La traversée avec le bac Linotte dure 40 minutes. On sert du thé à bord.',
      'Combien de temps dure la traversée avec le bac Linotte ?',
    ],
    [
      'Lampe Grive',
      'La batterie de la lampe Grive tient 9 heures. La lampe se suspend à un crochet.',
      'Combien de temps tient la batterie de la lampe Grive ?',
    ],
    [
      'Cabane Roitelet',
      'La cabane Roitelet coûte 85 euros la nuit. Elle a un toit de gazon.',
      'Combien coûte la cabane Roitelet ?',
    ],
  ],
  es: [
    [
      'Ancla Esquila',
      'El ancla Esquila pesa 14 kilos. Se pliega en una bolsa de tela.',
      '¿Cuánto pesa el ancla Esquila?',
    ],
    [
      'Depósito Orlo',
      'El depósito Orlo contiene 60 litros. Es de acero y está pintado de verde.',
      '¿Cuánto contiene el depósito Orlo?',
    ],
    [
      'Transbordador Pardillo',
      'La travesía con el transbordador Pardillo tarda 40 minutos. A bordo se sirve té.',
      '¿Cuánto tarda la travesía con el transbordador Pardillo?',
    ],
    [
      'Linterna Zorzal',
      'La batería de la linterna Zorzal dura 9 horas. La linterna cuelga de un gancho.',
      '¿Cuánto dura la batería de la linterna Zorzal?',
    ],
    [
      'Cabaña Reyezuelo',
      'La cabaña Reyezuelo cuesta 85 euros por noche. Tiene un tejado de césped.',
      '¿Cuánto cuesta la cabaña Reyezuelo?',
    ],
  ],
  it: [
    [
      'Ancora Schegge',
      'L’ancora Schegge pesa 14 chili. Si ripiega in una borsa di tela.',
      'Quanto pesa l’ancora Schegge?',
    ],
    [
      'Serbatoio Orlo',
      'Il serbatoio Orlo contiene 60 litri. È di acciaio verniciato di verde.',
      'Quanto contiene il serbatoio Orlo?',
    ],
    [
      'Traghetto Fanello',
      'La traversata con il traghetto Fanello dura 40 minuti. A bordo si serve il tè.',
      'Quanto dura la traversata con il traghetto Fanello?',
    ],
    [
      'Lampada Tordo',
      'La batteria della lampada Tordo dura 9 ore. La lampada si appende a un gancio.',
      'Quanto tempo dura la batteria della lampada Tordo?',
    ],
    [
      'Capanna Scricciolo',
      'La capanna Scricciolo costa 85 euro a notte. Ha un tetto di erba.',
      'Quanto costa la capanna Scricciolo?',
    ],
  ],
  nl: [
    ['Anker Esker', 'Het anker Esker weegt 14 kilo. Het past opgevouwen in een zak.', 'Hoeveel weegt het anker Esker?'],
    [
      'Tank Orlo',
      'In de tank Orlo past 60 liter. Hij is van staal en groen geverfd.',
      'Hoeveel past er in de tank Orlo?',
    ],
    [
      'Veerboot Kneu',
      'De overtocht met de veerboot Kneu duurt 40 minuten. Aan boord wordt thee geschonken.',
      'Hoeveel tijd kost de overtocht met de veerboot Kneu?',
    ],
    [
      'Lamp Lijster',
      'De accu van de lamp Lijster gaat 9 uur mee. De lamp hangt aan een haak.',
      'Hoe lang gaat de accu van de lamp Lijster mee?',
    ],
    [
      'Hut Winterkoning',
      'De hut Winterkoning kost 85 euro per nacht. Hij heeft een dak van gras.',
      'Hoeveel kost de hut Winterkoning?',
    ],
  ],
  pt: [
    ['Âncora Esquila', 'A âncora Esquila pesa 14 quilos. Dobra-se num saco de pano.', 'Quanto pesa a âncora Esquila?'],
    [
      'Depósito Orlo',
      'O depósito Orlo leva 60 litros. É de aço e está pintado de verde.',
      'Quanto leva o depósito Orlo?',
    ],
    [
      'Barco Pintarroxo',
      'A travessia com o barco Pintarroxo demora 40 minutos. A bordo serve-se chá.',
      'Quanto tempo demora a travessia com o barco Pintarroxo?',
    ],
    [
      'Lanterna Tordo',
      'A bateria da lanterna Tordo dura 9 horas. A lanterna pendura-se num gancho.',
      'Quanto dura a bateria da lanterna Tordo?',
    ],
    [
      'Cabana Carriça',
      'A cabana Carriça custa 85 euros por noite. Tem um telhado de relva.',
      'Quanto custa a cabana Carriça?',
    ],
  ],
  da: [
    ['Ankeret Esker', 'Ankeret Esker vejer 14 kilo. Det kan foldes ned i en pose.', 'Hvor meget vejer ankeret Esker?'],
    ['Tanken Orlo', 'Tanken Orlo rummer 60 liter. Den er af stål og malet grøn.', 'Hvor meget rummer tanken Orlo?'],
    [
      'Færgen Irisk',
      'Overfarten med færgen Irisk tager 40 minutter. Der serveres te om bord.',
      'Hvor meget tid tager overfarten med færgen Irisk?',
    ],
    [
      'Lampen Drossel',
      'Batteriet i lampen Drossel holder 9 timer. Lampen hænger på en krog.',
      'Hvor længe holder batteriet i lampen Drossel?',
    ],
    [
      'Hytten Gærdesmutte',
      'Hytten Gærdesmutte koster 85 euro pr. nat. Den har et tag af græs.',
      'Hvor meget koster hytten Gærdesmutte?',
    ],
  ],
  sv: [
    ['Ankaret Esker', 'Ankaret Esker väger 14 kilo. Det kan vikas ihop i en påse.', 'Hur mycket väger ankaret Esker?'],
    ['Tanken Orlo', 'Tanken Orlo rymmer 60 liter. Den är av stål och målad grön.', 'Hur mycket rymmer tanken Orlo?'],
    [
      'Färjan Hämpling',
      'Överfarten med färjan Hämpling tar 40 minuter. Ombord serveras te.',
      'Hur mycket tid tar överfarten med färjan Hämpling?',
    ],
    [
      'Lampan Trast',
      'Batteriet i lampan Trast räcker 9 timmar. Lampan hänger på en krok.',
      'Hur länge räcker batteriet i lampan Trast?',
    ],
    [
      'Stugan Gärdsmyg',
      'Stugan Gärdsmyg kostar 85 euro per natt. Den har ett tak av gräs.',
      'Hur mycket kostar stugan Gärdsmyg?',
    ],
  ],
  nb: [
    [
      'Ankeret Eskil',
      'Ankeret Eskil veier 14 kilo. Det kan brettes sammen i en pose.',
      'Hvor mye veier ankeret Eskil?',
    ],
    ['Tanken Orla', 'Tanken Orla rommer 60 liter. Den er av stål og malt grønn.', 'Hvor mye rommer tanken Orla?'],
    [
      'Ferja Tornirisk',
      'Overfarten med ferja Tornirisk tar 40 minutter. Det serveres te om bord.',
      'Hvor mye tid tar overfarten med ferja Tornirisk?',
    ],
    [
      'Lykta Trost',
      'Batteriet i lykta Trost varer 9 timer. Lykta henger på en krok.',
      'Hvor lenge varer batteriet i lykta Trost?',
    ],
    [
      'Hytta Gjerdesmett',
      'Hytta Gjerdesmett koster 85 euro per natt. Den har torvtak.',
      'Hvor mye koster hytta Gjerdesmett?',
    ],
  ],
  fi: [
    ['Ankkuri Eskeli', 'Ankkuri Eskeli painaa 14 kiloa. Se taittuu kangaspussiin.', 'Paljonko ankkuri Eskeli painaa?'],
    [
      'Säiliö Orlo',
      'Säiliöön Orlo mahtuu 60 litraa. Se on terästä ja maalattu vihreäksi.',
      'Kuinka paljon säiliöön Orlo mahtuu?',
    ],
    [
      'Lautta Hemppo',
      'Ylitys lautalla Hemppo kestää 40 minuuttia. Laivalla tarjoillaan teetä.',
      'Kuinka kauan ylitys lautalla Hemppo kestää?',
    ],
    [
      'Lamppu Rastas',
      'Lampun Rastas akku kestää 9 tuntia. Lamppu riippuu koukussa.',
      'Paljonko aikaa lampun Rastas akku kestää?',
    ],
    [
      'Mökki Peukaloinen',
      'Mökki Peukaloinen maksaa 85 euroa yöltä. Siinä on turvekatto.',
      'Paljonko mökki Peukaloinen maksaa?',
    ],
  ],
  pl: [
    [
      'Kotwica Eskera',
      'Kotwica Eskera waży 14 kilogramów. Składa się do płóciennego worka.',
      'Ile waży kotwica Eskera?',
    ],
    [
      'Zbiornik Orlo',
      'Zbiornik Orlo mieści 60 litrów. Jest ze stali i pomalowany na zielono.',
      'Ile mieści zbiornik Orlo?',
    ],
    [
      'Prom Makolągwa',
      'Przeprawa promem Makolągwa trwa 40 minut. Na pokładzie podaje się herbatę.',
      'Ile trwa przeprawa promem Makolągwa?',
    ],
    [
      'Lampa Drozd',
      'Bateria lampy Drozd wystarcza na 9 godzin. Lampa wisi na haku.',
      'Na ile wystarcza bateria lampy Drozd?',
    ],
    ['Domek Strzyżyk', 'Domek Strzyżyk kosztuje 85 euro za noc. Ma dach z trawy.', 'Ile kosztuje domek Strzyżyk?'],
  ],
};
const SIBLINGS = ['Bramto', 'Quildo'];
const ASKED = Object.entries(ROWS).flatMap(([language, rows]) =>
  rows.map(([title, text, question]) => ({ language, title, text, question })),
);

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const pages = ASKED.flatMap(pagesOf).map(newDocument);
  await (await product.engineStore(6)).putDocuments(17, pages, 1);
  const { status } = await product.put('/api/v4/3/index/17/documents?refresh=wait', [
    { id: 'waited-for', fields: { Title: 'Waited for', Content: 'Nothing.' } },
  ]);
  expect(status).toBeLessThan(300);
}, 60_000);
afterAll(() => product[Symbol.asyncDispose]());

function pagesOf({ language, title, text }: (typeof ASKED)[number], index: number): readonly AnswerDocument[] {
  const name = title.split(' ').at(language === 'en' ? 0 : -1) ?? '';
  const [amount = ''] = /\d+/.exec(text) ?? [];
  const others = SIBLINGS.map((other, more) => ({
    title: title.replace(name, other),
    text: text.replace(name, other).replace(amount, String(Number(amount) + more + 1)),
  }));
  return [{ title, text }, ...others].map((page, place) => {
    const blocks = [{ kind: 'paragraph' as const, text: page.text }];
    return {
      id: `${language}/${index}/${place}`,
      url: `https://harbour.example/${language}/${index}/${place}`,
      language,
      title: page.title,
      description: '',
      sections: [{ headings: [{ level: 1, text: page.title }], grounding: true, blocks }],
    };
  });
}

async function answerTo(question: string): Promise<string> {
  const { status, body } = await product.post('/api/v4/3/6/search/answer', { question, answerLength: 'concise' });
  expect(status).toBe(200);
  return body.value.answer;
}

test.each(ASKED)('in $language "$question" is answered first with what the page says', async ({ question, text }) => {
  expect((await answerTo(question)).slice(0, text.indexOf('. '))).toBe(text.slice(0, text.indexOf('. ')));
});

test('a site of six anchors says what each of them weighs', async () => {
  await using small = await startProduct();
  const names = ['Esker', 'Bramto', 'Quildo', 'Torvel', 'Minnow', 'Sorrel'];
  const pages = names.map((name, more) => ({
    id: name,
    fields: {
      Title: `${name} anchor`,
      Content: `The ${name} anchor weighs ${14 + more} kilograms. It folds into a bag of cloth.`,
    },
  }));
  await small.put('/api/v4/3/index/17/documents?refresh=wait', pages);
  const question = 'How much does the Torvel anchor weigh?';

  const { body } = await small.post('/api/v4/3/6/search/answer', { question, answerLength: 'concise' });

  expect(body.value.answer).toMatch(/^The Torvel anchor weighs 17 kilograms/);
});
