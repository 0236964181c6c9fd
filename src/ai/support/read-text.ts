import { analyzeText } from '../../text/analyzer.ts';
import { stemWord } from '../../text/stemming.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { type ExclusiveGroup, exclusiveGroupsOf } from './exclusive-words.ts';
import { type NegationKind, negationOf } from './negation-words.ts';

export type ReadWord = {
  /** Normalised; `raw` as written. */
  readonly word: string;
  readonly raw: string;
  readonly stem: string;
  /** What the word adds to a claim: 0 for stop words and numbers, little for light words, 1. */
  readonly weight: number;
  /** Grows at punctuation and at words that join clauses. */
  readonly clause: number;
  /** Begins a clause behind a full stop, a semicolon or with a joining word. */
  readonly isApart: boolean;
  /** A mark of punctuation or the end of the text follows. */
  readonly endsClause: boolean;
  /** Comparable forms of a number; empty for other words. */
  readonly numbers: readonly string[];
  readonly negation: NegationKind | undefined;
  readonly exclusive: readonly ExclusiveGroup[];
  /** Capitalised where no sentence begins. */
  readonly isName: boolean;
  readonly isCapitalised: boolean;
};

/** A text as the checks compare it. */
export type ReadText = {
  readonly text: string;
  /** Lower case, quotes and dashes plain: what must occur literally is looked for here. */
  readonly plain: string;
  readonly words: readonly ReadWord[];
  /** Stems of the words with weight. */
  readonly stems: ReadonlySet<string>;
};

export const LIGHT_WEIGHT = 0.25;

/** Reads a text in a language; what is no reader's words (URLs of links) is left out before. Linear; 20 µs a sentence. */
export function readText(text: string, language: string): ReadText {
  const pieces = piecesOf(text, language);
  const words: ReadWord[] = [];
  let clause = 0;
  for (const [i, piece] of pieces.entries()) {
    const before = pieces[i - 1];
    const gap = before === undefined ? '' : text.slice(before.end, piece.start);
    const isApart = before !== undefined && (STRONG_BREAK.test(gap) || isJoining(piece.surface, language));
    if (isApart || (before !== undefined && CLAUSE_BREAK.test(gap))) clause++;
    const behind = text.slice(piece.end, pieces[i + 1]?.start ?? text.length);
    const endsClause = pieces[i + 1] === undefined || CLAUSE_BREAK.test(behind);
    words.push({ ...readPiece(piece, text, language), clause, endsClause, isApart });
  }
  weightAttribution(words, language);
  const stems = new Set(words.filter(({ weight }) => weight > 0).map(({ stem }) => stem));
  return { text, plain: plainText(text), words, stems };
}

/** Where a text comes from adds nothing to what it says: the words of an opening "According to the page," lose weight. */
function weightAttribution(words: ReadWord[], language: string): void {
  if (words[0]?.word !== ATTRIBUTIONS[language]) return;
  const end = words.findIndex(({ endsClause }) => endsClause) + 1;
  if (end > MAX_ATTRIBUTION_WORDS) return;
  for (const [i, word] of words.slice(0, end).entries()) words[i] = { ...word, weight: 0 };
}

const MAX_ATTRIBUTION_WORDS = 8;
const ATTRIBUTIONS: Readonly<Record<string, string>> = {
  en: 'according',
  de: 'laut',
  fr: 'selon',
  es: 'según',
  it: 'secondo',
  nl: 'volgens',
  pt: 'segundo',
  da: 'ifølge',
  sv: 'enligt',
  nb: 'ifølge',
  pl: 'według',
};

/** Lower case with plain quotes, apostrophes and dashes, runs of blanks one blank: two spellings of one text are equal. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[‘’‛ʼ]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/\s+/g, ' ');
}

type Piece = { readonly start: number; readonly end: number; readonly surface: string; readonly stem: string };

const STRONG_BREAK = /[.!?;。！？；\n]/;
const CLAUSE_BREAK = /[,;:()[\]{}–—.!?…。！？、，；：|\n"“”]/;

/** Words of the text with each number in one piece; joined forms are left out, as their parts are words already. */
function piecesOf(text: string, language: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const numbers = text.matchAll(NUMBER);
  let number = numbers.next().value;
  let position = -1;
  for (const token of analyzeText(text, language).tokens) {
    const isJoined = token.position <= position;
    position = Math.max(position, token.position);
    if (isJoined) continue;
    while (number !== undefined && number.index + number[0].length <= token.start) number = numbers.next().value;
    const numberStart = number?.index ?? Number.POSITIVE_INFINITY;
    if (token.start < numberStart) pieces.push(token);
    else if (token.start === numberStart && number !== undefined) {
      pieces.push({ ...token, surface: number[0], stem: number[0], end: numberStart + number[0].length });
    }
  }
  return pieces;
}

function readPiece({ start, end, surface, stem }: Piece, text: string, language: string) {
  const isDigits = /^\d/.test(surface) && /^[\d.,:’'\s]+$/.test(surface);
  const spelled = digitsOfWord(surface, language);
  const numbers = isDigits ? numberForms(surface) : spelled === undefined ? [] : [spelled];
  const isContent =
    numbers.length === 0 && !isStopWord(surface, language) && negationOf(surface, language) === undefined;
  const isCapitalised = /^\p{Lu}/u.test(text.slice(start, start + 2)) && !(language === 'en' && surface === 'i');
  return {
    word: surface,
    raw: text.slice(start, end),
    stem,
    weight: !isContent ? 0 : isLight(stem, language) ? LIGHT_WEIGHT : 1,
    numbers,
    negation: negationOf(surface, language),
    exclusive: exclusiveGroupsOf(surface, stem, language),
    isCapitalised,
    isName: isCapitalised && stem.length > 1 && INSIDE.test(text.slice(Math.max(0, start - LOOK_BACK), start)),
  };
}

const LOOK_BACK = 6;
/** A letter, digit, comma or closing bracket before the word, quotes and emphasis aside: no sentence begins here. */
const INSIDE = /[\p{L}\p{N},;)%€$&/-][\s*_"'“„«(‘`]*$/u;

const JOINING: Readonly<Record<string, string>> = {
  en: 'and but or while whereas which who because although so then',
  de: 'und aber oder während weil obwohl sondern',
  fr: 'et mais ou tandis car qui',
  es: 'y e pero o mientras porque',
  it: 'e ed ma o mentre perché',
  nl: 'en maar of terwijl omdat',
  pt: 'e mas ou enquanto porque',
  da: 'og men eller mens fordi som',
  sv: 'och men eller medan som',
  nb: 'og men eller mens fordi som',
  fi: 'ja mutta tai vaan joka',
  pl: 'i a ale lub oraz',
};
const JOINING_WORDS = new Map(
  Object.entries(JOINING).map(([language, words]) => [language, new Set(words.split(' '))]),
);

function isJoining(word: string, language: string): boolean {
  return JOINING_WORDS.get(language)?.has(word) ?? false;
}

/**
 * Words that writers add or exchange freely without changing what is claimed: verbs of any subject, words about the
 * text itself, adverbs. They count little whether a source has them or not.
 */
const LIGHT: Readonly<Record<string, string>> = {
  en: `may numerous frequently entire whole cost costs price priced pay pays paid charge fee use used using usage employ make made let lets allow provide provides offer offers give gives given take takes need
    needs require requires contain contains hold holds include includes show shows display displays get gets go goes come
    comes put puts keep keeps want wants like see look help helps work works serve serves create run execute set configure
    change modify consult refer referred mean means become becomes remain happen happens occur done called named known
    found find able available possible different certain various several many much some any each every both other
    another such also too very quite just simply only even still already again always usually generally typically often
    normally mainly mostly please note according documentation document documentation page site website source article guide
    text manual section information provided states stated mentions mentioned says say described describe describes explains
    example instance however therefore moreover furthermore additionally addition besides instead way ways thing things
    kind type sort part parts case cases time times number amount people person someone person anyone everyone user users visitor visitors
    currently now today then once first finally specifically particular especially well order specify specified following large big small little
    must has have own new long same more most less than around about approximately roughly nearly almost`,
  de: `kosten kostet preis preise zahlen bezahlen benutzen verwenden nutzen machen lassen bieten bietet geben gibt nehmen brauchen benötigen enthalten enthält zeigen
    zeigt finden findet befindet liegt steht kommen gehen bekommen erhalten halten helfen arbeiten laut gemäss gemäß
    dokumentation seite webseite website quelle artikel text angaben informationen auch sehr nur noch schon bereits immer
    meist meistens oft normalerweise bitte hinweis beispiel zudem ausserdem außerdem dabei dazu jedoch daher deshalb etwa rund circa
    ungefähr verschieden viele einige mehrere ander weitere möglich verfügbar gehören gehört handelt besucher person menschen jeder jede
    jedes sowie insgesamt jeweils`,
  fr: `coûter coûte coûtent prix payer paient utiliser faire laisser offrir offre proposer propose donner donne prendre besoin contenir contient montrer trouver trouve
    situe aller venir obtenir recevoir garder aider selon documentation page site source article texte informations aussi
    très seulement encore déjà toujours souvent généralement veuillez note exemple cependant donc environ différents plusieurs
    autres possible disponible personne personnes visiteurs chaque permet`,
  es: `costar cuesta cuestan precio pagar pagan usar utilizar hacer dejar ofrecer ofrece dar da tomar necesitar necesita contener contiene mostrar encontrar encuentra
    ir venir obtener recibir mantener ayudar según documentación página sitio fuente artículo texto información también muy solo
    todavía ya siempre menudo generalmente favor nota ejemplo embargo además aproximadamente diferentes varios otros posible
    disponible persona personas visitantes cada permite`,
  it: `costare costa costano prezzo pagare pagano usare utilizzare fare lasciare offrire offre dare prendere bisogno contenere contiene mostrare trovare trova andare venire
    ottenere ricevere tenere aiutare secondo documentazione pagina sito fonte articolo testo informazioni anche molto solo ancora
    già sempre spesso generalmente prego nota esempio tuttavia inoltre circa diversi alcuni altri possibile disponibile persona
    persone visitatori ogni permette`,
  nl: `kosten kost prijs betalen betaal gebruiken maken laten bieden biedt geven geeft nemen nodig bevatten bevat tonen vinden vindt bevindt gaan komen krijgen
    ontvangen houden helpen volgens documentatie pagina site website bron artikel tekst informatie ook zeer heel alleen nog al
    altijd vaak meestal graag let voorbeeld echter bovendien daarnaast ongeveer verschillende enkele andere mogelijk beschikbaar
    persoon mensen bezoekers elke iedere`,
  pt: `custar custa custam preço pagar pagam usar utilizar fazer deixar oferecer oferece dar tomar precisar precisa conter contém mostrar encontrar encontra ir vir obter
    receber manter ajudar segundo acordo documentação página site fonte artigo texto informações também muito apenas ainda já sempre
    frequentemente geralmente favor nota exemplo entanto além aproximadamente diferentes vários outros possível disponível pessoa
    pessoas visitantes cada permite`,
  da: `koste koster pris betale betaler bruge benytte anvende lave gøre lade tilbyde tilbyder give giver tage tager behøve indeholde indeholder vise viser finde
    finder findes ligger gå komme få får modtage modtager holde hjælpe ifølge følge dokumentation side siden hjemmeside kilde artikel tekst information
    oplysninger også meget kun endnu allerede altid ofte normalt venligst bemærk eksempel dog derfor desuden cirka omkring forskellige flere
    andre mulig muligt tilgængelig person personer folk borger borgere hver hvert samt sker foregår`,
  sv: `kosta kostar pris betala betalar använda göra låta erbjuda erbjuder ge ger ta tar behöva behöver innehålla innehåller visa visar finna hitta finns ligger gå komma få
    får hålla hjälpa enligt dokumentation sida sidan webbplats källa artikel text information också även mycket bara endast ännu redan
    alltid ofta vanligtvis vänligen notera exempel dock därför dessutom cirka ungefär olika flera andra möjlig tillgänglig person
    personer folk besökare varje samt`,
  nb: `koste koster pris betale betaler bruke benytte gjøre lage la tilby tilbyr gi gir ta tar trenge trenger inneholde inneholder vise viser finne finner finnes
    ligger gå komme få får holde hjelpe ifølge følge dokumentasjon side siden nettside kilde artikkel tekst informasjon også svært veldig bare kun ennå
    allerede alltid ofte vanligvis vennligst merk eksempel likevel derfor dessuten cirka omtrent ulike flere andre mulig
    tilgjengelig person personer folk besøkende hver samt`,
  fi: `maksaa hinta käyttää käytetään tehdä antaa antavat tarjota tarjoaa ottaa tarvita tarvitsee sisältää näyttää löytyä löytyy sijaitsee mennä tulla saada
    saa pitää auttaa mukaan dokumentaatio sivu sivun sivusto lähde artikkeli teksti tiedot myös hyvin vain vielä jo aina usein yleensä
    huomaa esimerkki kuitenkin siksi lisäksi noin eri useita muut mahdollinen saatavilla henkilö ihmiset kävijät jokainen sekä`,
  pl: `kosztować kosztuje cena płacić płacą używać użyć robić pozwala oferować oferuje dawać daje brać potrzebować potrzebuje zawierać zawiera pokazać pokazuje znaleźć
    znajduje iść przyjść dostać otrzymać trzymać pomóc według zgodnie dokumentacja dokumentacją strona strony źródło artykuł tekst informacje także również
    bardzo tylko jeszcze już zawsze często zwykle proszę uwaga przykład jednak dlatego ponadto około różne kilka inne możliwe
    dostępne osoba osoby ludzie odwiedzający każdy`,
};

const STEMS = new Map<string, ReadonlySet<string>>();

/** Whether the stem is that of a word that adds hardly anything to a claim. */
function isLight(stem: string, language: string): boolean {
  let stems = STEMS.get(language);
  if (stems === undefined) {
    const words = (LIGHT[language] ?? '').split(/\s+/).filter((word) => word !== '');
    stems = new Set(words.map((word) => stemWord(word, language)));
    STEMS.set(language, stems);
  }
  return stems.has(stem);
}

/** Digits with separators; groups of three may stand apart. None inside words: `utf8` and `A4` are names. */
const NUMBER =
  /(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}_])\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}])|(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}_])\d{1,15}(?:[.,:’']\d{1,15}){0,5}/gu;

const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * What a written number may mean, as comparable texts: `3.500` is 3.5 in one language and 3500 in another, 18:00 is
 * 18. Versions and dates of three parts stay as they are.
 */
function numberForms(written: string): readonly string[] {
  const plain = written.replace(/[\u00a0\u202f ’']/g, '').replaceAll(':', '.');
  const parts = plain.split(/[.,]/);
  const forms = new Set<string>();
  if (parts.length <= 2) forms.add(String(Number(plain.replace(',', '.'))));
  if (GROUPED.test(plain)) forms.add(String(Number(parts.join(''))));
  if (parts.length > 2) {
    forms.add(parts.join('.'));
    const [last = ''] = parts.slice(-1);
    if (/[.,]/.test(plain) && new Set(plain.match(/[.,]/g)).size === 2)
      forms.add(String(Number(`${parts.slice(0, -1).join('')}.${last}`)));
  }
  return [...forms];
}

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
function digitsOfWord(word: string, language: string): string | undefined {
  return VALUES.get(language)?.get(word);
}
