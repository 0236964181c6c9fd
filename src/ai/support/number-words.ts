/**
 * Number words from two on, as the tokenizer writes them: the list begins at 2, `|` parts other spellings. "One" is an
 * article or a pronoun as often as a number.
 */
const FROM_TWO: Readonly<Record<string, string>> = {
  en: 'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  de: 'zwei|zweimal drei|dreimal vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  fr: 'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
  es: 'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  it: 'due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti',
  nl: 'twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig',
  pt: 'dois|duas três quatro cinco seis sete oito nove dez onze doze treze catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove vinte',
  da: 'to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tyve',
  sv: 'två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo',
  nb: 'to tre fire fem seks sju|syv åtte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tjue|tyve',
  fi: 'kaksi|kahden|kahta kolme|kolmen|kolmea neljä|neljän|neljää viisi|viiden|viittä kuusi|kuuden|kuutta seitsemän kahdeksan yhdeksän kymmenen yksitoista kaksitoista',
  pl: 'dwa|dwie|dwóch|dwoje trzy|trzech cztery|czterech pięć|pięciu sześć|sześciu siedem|siedmiu osiem|ośmiu dziewięć|dziewięciu dziesięć|dziesięciu jedenaście dwanaście',
};

/** Round ones: word, value. */
const ROUND: Readonly<Record<string, string>> = {
  en: 'thirty 30 forty 40 fifty 50 sixty 60 seventy 70 eighty 80 ninety 90 hundred 100 thousand 1000 million 1000000 twice 2 dozen 12',
  de: 'dreissig 30 dreißig 30 vierzig 40 fünfzig 50 sechzig 60 siebzig 70 achtzig 80 neunzig 90 hundert 100 tausend 1000',
  fr: 'vingt 20 trente 30 quarante 40 cinquante 50 soixante 60 cent 100 mille 1000',
  es: 'treinta 30 cuarenta 40 cincuenta 50 sesenta 60 setenta 70 ochenta 80 noventa 90 cien 100 mil 1000',
  it: 'trenta 30 quaranta 40 cinquanta 50 sessanta 60 settanta 70 ottanta 80 novanta 90 cento 100 mille 1000',
  nl: 'dertig 30 veertig 40 vijftig 50 zestig 60 zeventig 70 tachtig 80 negentig 90 honderd 100 duizend 1000',
  pt: 'trinta 30 quarenta 40 cinquenta 50 sessenta 60 setenta 70 oitenta 80 noventa 90 cem 100 mil 1000',
  da: 'tredive 30 fyrre 40 halvtreds 50 tres 60 halvfjerds 70 firs 80 halvfems 90 hundrede 100 tusind 1000',
  sv: 'trettio 30 fyrtio 40 femtio 50 sextio 60 sjuttio 70 åttio 80 nittio 90 hundra 100 tusen 1000',
  nb: 'tretti 30 førti 40 femti 50 seksti 60 sytti 70 åtti 80 nitti 90 hundre 100 tusen 1000',
  fi: 'kaksikymmentä 20 kolmekymmentä 30 viisikymmentä 50 sata 100 tuhat 1000',
  pl: 'dwadzieścia 20 trzydzieści 30 czterdzieści 40 pięćdziesiąt 50 sto 100 tysiąc 1000',
};

const VALUES = new Map(Object.keys(FROM_TWO).map((language) => [language, valuesOf(language)]));

function valuesOf(language: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [i, spellings] of (FROM_TWO[language] ?? '').split(' ').entries())
    for (const word of spellings.split('|')) values.set(word, String(i + 2));
  const round = (ROUND[language] ?? '').split(' ');
  for (let i = 0; i + 1 < round.length; i += 2) values.set(round[i] ?? '', round[i + 1] ?? '');
  return values;
}

/** Digits of a normalised number word; undefined when it is none, or the language has no table. */
export function digitsOfWord(word: string, language: string): string | undefined {
  return VALUES.get(language)?.get(word);
}
