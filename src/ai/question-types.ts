import type { PassageQuery } from '../search/passage.ts';
import { definedTerm } from '../text/definitions.ts';
import { foldWord } from '../text/folding.ts';
import type { QueryIntent } from './query-intents.ts';
import { QUESTION_TABLES } from './question-tables.ts';

/** What a question opens with decides first, then what it holds; `what is the price` asks for a number. */
const OPENING_ORDER: readonly QuestionType[] = ['number', 'date', 'person', 'how-to', 'why', 'place', 'yes-no'];

type Phrases = { readonly opening: RegExp | undefined; readonly anywhere: RegExp | undefined };
type QuestionPhrases = {
  readonly types: ReadonlyMap<QuestionType, Phrases>;
  readonly asks: ReadonlyMap<AnswerKind, Phrases>;
  readonly polite: RegExp;
};

/** A question as tables have it: lower case without accents, what is only polite left out. */
export function plainQuestion(question: string, language: string): string {
  const folded = foldWord(question.normalize('NFC').toLowerCase().replace(/[’‘]/g, "'")).replace(/\s+/g, ' ').trim();
  const polite = phrasesOf(language)?.polite;
  return polite === undefined ? folded : folded.replace(polite, '');
}

/** What kind of answer a plain question wants; `other` in languages without a table. */
export function questionType(plain: string, language: string): QuestionType {
  const phrases = phrasesOf(language);
  const types = phrases?.types;
  const opened = OPENING_ORDER.find((type) => types?.get(type)?.opening?.test(plain) === true);
  if (opened !== undefined) return opened;
  const held = OPENING_ORDER.find((type) => types?.get(type)?.anywhere?.test(plain) === true);
  if (held !== undefined) return held;
  return types?.get('definition')?.opening?.test(plain) === true ? 'definition' : 'other';
}

/** A plain question of type definition without the words it opens with. */
export function definitionSubject(plain: string, language: string): string {
  const opening = phrasesOf(language)?.types.get('definition')?.opening;
  return opening === undefined ? plain : plain.replace(opening, '').replace(TAIL, '');
}

/** What an answer to a plain question cannot be without. */
export function askedKind(plain: string, language: string): AnswerKind | undefined {
  const asks = phrasesOf(language)?.asks;
  return ANSWER_KINDS.find((kind) => matches(asks?.get(kind), plain));
}

/** Whether a sentence holds what questions of a type are answered with. */
export function fitsType(sentence: string, type: QuestionType, language: string): boolean {
  return FITS[type](sentence, language);
}

/** Whether a text has what a question asks for. */
export function hasKind(text: string, kind: AnswerKind, language: string): boolean {
  return HAS[kind](text, language);
}

type Test = (text: string, language: string) => boolean;
const plain = (text: string) => {
  if (folded.text !== text) folded = { text, plain: foldWord(text.toLowerCase()) };
  return folded.plain;
};

/** The text that was folded last: one sentence is asked for several signs. */
let folded = { text: '', plain: '' };
const holds =
  (list: keyof AnswerTable): Test =>
  (text, language) =>
    wordsOf(language)?.[list].test(plain(text)) === true;
const answers = new Map<string, Readonly<Record<keyof AnswerTable, RegExp>>>();

const ANSWER_TABLES: Readonly<Record<string, AnswerTable>> = {
  en: {
    numbers: `one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand
      |million|billion|several|dozen|no|every|daily|weekly|monthly|half|few|once|twice|hour|century|decade|decades`,
    months: 'january|february|march|april|may|june|july|august|september|october|november|december|century',
    places: 'in|at|on|from|to|under|near|directory|folder|file|path|street|square',
    reasons:
      'because|since|due to|reason|so that|in order|therefore|to avoid|to prevent|to protect|to allow|caused|as a result',
    steps: 'use|run|set|click|select|open|add|remove|can|should|must|to|choose|enter|press|go to',
    verdicts: 'yes|no|not|can|cannot|supports?|is|are|only|may|must',
    free: 'free|free of charge|no charge',
  },
  de: {
    numbers: `ein|eine|einen|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|zwanzig|hundert|tausend|million|millionen
      |mehrere|dutzend|kein|keine|jede|jeden|taglich|wochentlich|monatlich|halb|einmal|zweimal|stunde|jahrhundert`,
    months: 'januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember|jahrhundert',
    places: 'in|im|an|am|auf|bei|beim|aus|unter|neben|strasse|platz|ordner|verzeichnis|datei',
    reasons: 'weil|da|denn|grund|damit|deshalb|daher|wegen|aufgrund|um zu|dadurch|sodass',
    steps: 'verwenden|nutzen|klicken|wahlen|offnen|hinzufugen|entfernen|konnen|kann|sollte|muss|mussen|geben|gehen',
    verdicts: 'ja|nein|nicht|kein|keine|kann|konnen|ist|sind|nur|darf|durfen|muss|mussen',
    free: 'kostenlos|kostenfrei|gratis|unentgeltlich|gebuhrenfrei',
  },
  fr: {
    numbers: `un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|vingt|cent|cents|mille|million|millions
      |plusieurs|aucun|aucune|chaque|quotidien|hebdomadaire|mensuel|demi|fois|heure|siecle`,
    months: 'janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre|siecle',
    places: 'a|au|aux|dans|en|sur|sous|pres|rue|place|dossier|repertoire|fichier',
    reasons: 'parce que|car|puisque|raison|afin|pour que|donc|en raison|grace a|a cause',
    steps:
      'utiliser|utilisez|cliquer|cliquez|selectionner|selectionnez|ouvrir|ouvrez|ajouter|peut|pouvez|doit|devez|faut',
    verdicts: 'oui|non|ne|pas|peut|peuvent|est|sont|seulement|uniquement|doit|doivent',
    free: 'gratuit|gratuite|gratuits|gratuitement|sans frais',
  },
  es: {
    numbers: `un|una|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|cien|cientos|mil|millon|millones
      |varios|varias|ningun|ninguna|cada|diario|semanal|mensual|medio|vez|veces|hora|siglo`,
    months: 'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|siglo',
    places: 'en|a|al|desde|sobre|bajo|cerca|calle|plaza|carpeta|directorio|archivo',
    reasons: 'porque|ya que|razon|para que|por lo tanto|debido|a causa|gracias a|puesto que',
    steps: 'use|usar|utilice|utilizar|haga|seleccione|seleccionar|abra|abrir|agregue|puede|debe|tiene que|hay que',
    verdicts: 'si|no|puede|pueden|es|son|solo|solamente|debe|deben|esta|estan',
    free: 'gratis|gratuito|gratuita|sin coste|sin costo',
  },
  it: {
    numbers: `un|una|uno|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|venti|cento|mille|mila|milione|milioni
      |diversi|diverse|nessun|nessuna|ogni|giornaliero|settimanale|mensile|mezzo|volta|volte|ora|secolo`,
    months: 'gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|secolo',
    places: 'a|al|alla|in|nel|nella|su|sul|sotto|presso|via|piazza|cartella|directory|file',
    reasons: 'perche|poiche|motivo|affinche|quindi|a causa|dovuto|grazie a|per evitare|per consentire',
    steps: 'usare|usa|utilizzare|fare|fai|selezionare|seleziona|aprire|apri|aggiungere|puo|deve|bisogna',
    verdicts: 'si|no|non|puo|possono|e|sono|solo|soltanto|deve|devono',
    free: 'gratis|gratuito|gratuita|gratuiti|gratuitamente',
  },
  nl: {
    numbers: `een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|twintig|honderd|duizend|miljoen|miljard
      |meerdere|dozijn|geen|elke|ieder|dagelijks|wekelijks|maandelijks|half|eenmaal|keer|uur|eeuw`,
    months: 'januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|eeuw',
    places: 'in|aan|op|bij|uit|onder|naast|straat|plein|map|bestand',
    reasons: 'omdat|doordat|want|reden|zodat|daarom|vanwege|wegens|om te|waardoor',
    steps: 'gebruik|gebruiken|klik|klikken|selecteer|open|openen|toevoegen|kunt|kan|moet|moeten|ga naar|kies',
    verdicts: 'ja|nee|niet|geen|kan|kunnen|is|zijn|alleen|mag|mogen|moet|moeten',
    free: 'gratis|kosteloos',
  },
  pt: {
    numbers: `um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|vinte|cem|cento|mil|milhao|milhoes
      |varios|varias|nenhum|nenhuma|cada|diario|semanal|mensal|meio|vez|vezes|hora|seculo`,
    months: 'janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|seculo',
    places: 'em|no|na|nos|nas|ao|sobre|sob|perto|rua|praca|pasta|diretorio|arquivo|ficheiro',
    reasons: 'porque|pois|ja que|razao|motivo|para que|portanto|devido|por causa|gracas a',
    steps: 'use|usar|utilize|utilizar|clique|clicar|selecione|selecionar|abra|abrir|adicione|pode|deve|precisa',
    verdicts: 'sim|nao|pode|podem|e|sao|so|somente|apenas|deve|devem',
    free: 'gratis|gratuito|gratuita|gratuitamente|sem custo',
  },
  da: {
    numbers: `en|et|to|tre|fire|fem|seks|syv|otte|ni|ti|elleve|tolv|tyve|hundrede|tusind|million|millioner|flere|dusin
      |ingen|hver|dagligt|ugentligt|manedligt|halv|gang|gange|time|arhundrede`,
    months: 'januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december|arhundrede',
    places: 'i|pa|ved|fra|til|under|naer|vej|gade|plads|mappe|fil',
    reasons: 'fordi|da|grund|sa|derfor|pa grund af|skyldes|for at|saledes',
    steps: 'brug|bruge|klik|klikke|vaelg|vaelge|abn|abne|tilfoj|kan|skal|bor|ga til',
    verdicts: 'ja|nej|ikke|kan|er|kun|ma|skal|ingen',
    free: 'gratis|uden beregning',
  },
  sv: {
    numbers: `en|ett|tva|tre|fyra|fem|sex|sju|atta|nio|tio|elva|tolv|tjugo|hundra|tusen|miljon|miljoner|flera|dussin
      |ingen|inga|varje|dagligen|veckovis|halv|gang|ganger|timme|arhundrade`,
    months: 'januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december|arhundrade',
    places: 'i|pa|vid|fran|till|under|nara|vag|gata|torg|mapp|fil',
    reasons: 'eftersom|darfor att|for att|anledning|darfor|pa grund av|beror|sa att',
    steps: 'anvand|anvanda|klicka|valj|valja|oppna|lagg till|kan|ska|bor|maste|ga till',
    verdicts: 'ja|nej|inte|kan|ar|endast|bara|far|ska|maste|ingen',
    free: 'gratis|kostnadsfri|kostnadsfritt|avgiftsfri|avgiftsfritt',
  },
  nb: {
    numbers: `en|ei|et|to|tre|fire|fem|seks|sju|syv|atte|ni|ti|elleve|tolv|tjue|hundre|tusen|million|millioner|flere|dusin
      |ingen|hver|daglig|ukentlig|manedlig|halv|gang|ganger|time|arhundre`,
    months: 'januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember|arhundre',
    places: 'i|pa|ved|fra|til|under|naer|vei|gate|plass|mappe|fil',
    reasons: 'fordi|siden|grunn|slik at|derfor|pa grunn av|skyldes|for a',
    steps: 'bruk|bruke|klikk|klikke|velg|velge|apne|legg til|kan|skal|bor|ma|ga til',
    verdicts: 'ja|nei|ikke|kan|er|bare|kun|ma|skal|ingen',
    free: 'gratis|kostnadsfritt|vederlagsfritt',
  },
  fi: {
    numbers: `yksi|kaksi|kolme|nelja|viisi|kuusi|seitseman|kahdeksan|yhdeksan|kymmenen|sata|tuhat|miljoona|miljoonaa|useita
      |joka|paivittain|viikoittain|kuukausittain|puoli|kerran|kertaa|tunti|tuntia|vuosisata`,
    months: `tammikuu\\p{L}*|helmikuu\\p{L}*|maaliskuu\\p{L}*|huhtikuu\\p{L}*|toukokuu\\p{L}*|kesakuu\\p{L}*|heinakuu\\p{L}*
      |elokuu\\p{L}*|syyskuu\\p{L}*|lokakuu\\p{L}*|marraskuu\\p{L}*|joulukuu\\p{L}*`,
    places: 'osoitteessa|lahella|kadulla|torilla|kansiossa|tiedostossa|\\p{L}{3,}(?:ssa|lla)',
    reasons: 'koska|silla|syy|jotta|siksi|vuoksi|takia|johtuu',
    steps: 'kayta|kayttaa|napsauta|valitse|avaa|lisaa|voit|voi|pitaa|tulee|siirry',
    verdicts: 'kylla|ei|eivat|voi|voivat|on|ovat|vain|saa|taytyy',
    free: 'ilmainen|ilmaiseksi|maksuton|maksutta|maksutonta',
  },
  pl: {
    numbers: `jeden|jedna|jedno|dwa|dwie|trzy|cztery|piec|szesc|siedem|osiem|dziewiec|dziesiec|sto|tysiac|tysiecy|milion
      |milionow|kilka|tuzin|zaden|kazdy|codziennie|co tydzien|co miesiac|pol|raz|razy|godzina|godziny|wiek`,
    months: `stycz\\p{L}*|lut\\p{L}{1,3}|marz?[ec]\\p{L}*|kwie\\p{L}*|maj\\p{L}?|czerw\\p{L}*|lip\\p{L}{1,2}|sierp\\p{L}*|wrze\\p{L}*
      |pazdziernik\\p{L}*|listopad\\p{L}*|grud\\p{L}*`,
    places: 'w|we|na|przy|z|do|pod|obok|ulica|ulicy|plac|folder|katalog|plik',
    reasons: 'poniewaz|bo|gdyz|powod|powodu|aby|zeby|dlatego|wskutek|dzieki',
    steps: 'uzyj|uzyc|kliknij|wybierz|otworz|dodaj|mozna|moze|nalezy|trzeba|musi|przejdz',
    verdicts: 'tak|nie|moze|moga|jest|sa|tylko|mozna|musi|nalezy',
    free: 'bezplatny|bezplatne|bezplatna|bezplatnie|darmowy|darmowe|za darmo',
  },
};

const FITS: Readonly<Record<QuestionType, Test>> = {
  number: (text, language) => /\d/.test(text) || holds('numbers')(text, language),
  date: (text, language) => YEAR.test(plain(text)) || CLOCK.test(text) || holds('months')(text, language),
  person: (text) => PERSON.test(text),
  place: holds('places'),
  definition: (text, language) => definedTerm(text, language) !== undefined,
  'how-to': (text, language) => OPTION.test(text) || holds('steps')(text, language),
  why: holds('reasons'),
  'yes-no': holds('verdicts'),
  other: () => false,
};

const HAS: Readonly<Record<AnswerKind, Test>> = {
  phone: (text) => PHONE.test(text),
  email: (text) => EMAIL.test(text),
  price: (text, language) => PRICE.test(plain(text)) || holds('free')(text, language),
  year: (text, language) => YEAR.test(plain(text)) || holds('months')(text, language),
  time: (text) => /\d/.test(text),
  count: (text, language) => /\d/.test(text) || holds('numbers')(text, language),
  person: (text) => PERSON.test(text),
};

/** Of `what does X mean`. */
const TAIL = /(?:\s(?:do|does|mean|means|stand for|bedeutet|betyder|betyr|betekent))?\s*[?？.!]*\s*$/u;
const PERSON = /(?<![\p{L}])\p{Lu}[\p{L}.'’-]+ (?:\p{Ll}{1,4} )?\p{Lu}[\p{L}.'’-]+/u;
const PHONE = /\+?\d[\d\s()./-]{5,18}\d/;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,64}\.\w/;
const YEAR = /(?<!\d)(?:1\d|20)\d\d(?!\d)|\d{1,4} ?(?:bc|ad|bce|ce|v\. ?chr|n\. ?chr|av\. ?j)/;
const CLOCK = /\d{1,2}[:.]\d\d/;
const OPTION = /(?:^|\s)--?\w/;
const PRICE =
  /[$€£¥₹₽฿₺]\s?\d|\d\s?[$€£¥₹₽฿₺%]|\d(?:[.,]-)?\s?(?:usd|eur|gbp|chf|dkk|sek|nok|pln|czk|huf|kr|zl|kc|ft|lei|euros?|dollars?|dollari|euroa|kroner|kronor|zlot\w*|francs?|percent|prozent|yen|元|円|원)(?!\p{L})/u;

const questions = new Map<string, QuestionPhrases>();

/** Compiled when a language is asked for first. */
function phrasesOf(language: string): QuestionPhrases | undefined {
  const table = QUESTION_TABLES[language];
  if (table === undefined) return undefined;
  const known = questions.get(language);
  if (known !== undefined) return known;
  const compiled = {
    types: new Map(Object.entries(table.types).map(([type, list]) => [type as QuestionType, compilePhrases(list)])),
    asks: new Map(Object.entries(table.asks).map(([kind, list]) => [kind as AnswerKind, compilePhrases(list)])),
    polite: new RegExp(String.raw`^(?:(?:${alternativesOf(table.polite)})(?![\p{L}\p{N}])[\s,]*)+`, 'u'),
  };
  questions.set(language, compiled);
  return compiled;
}

function wordsOf(language: string): Readonly<Record<keyof AnswerTable, RegExp>> | undefined {
  const table = ANSWER_TABLES[language];
  if (table === undefined) return undefined;
  const known = answers.get(language);
  if (known !== undefined) return known;
  const { numbers, months, places, reasons, steps, verdicts, free } = table;
  const compiled = {
    numbers: wholeWords(numbers),
    months: wholeWords(months),
    places: wholeWords(places),
    reasons: wholeWords(reasons),
    steps: wholeWords(steps),
    verdicts: wholeWords(verdicts),
    free: wholeWords(free),
  };
  answers.set(language, compiled);
  return compiled;
}

function compilePhrases(list: string): Phrases {
  const phrases = list.split('|').map((phrase) => phrase.trim());
  const opening = phrases.filter((phrase) => phrase.startsWith('^')).map((phrase) => phrase.slice(1));
  const anywhere = phrases.filter((phrase) => !phrase.startsWith('^'));
  return {
    opening:
      opening.length === 0
        ? undefined
        : new RegExp(String.raw`^[^\p{L}\p{N}]*(?:${opening.join('|')})(?![\p{L}\p{N}])`, 'u'),
    anywhere: anywhere.length === 0 ? undefined : wholeWords(anywhere.join('|')),
  };
}

function wholeWords(list: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternativesOf(list)})(?![\p{L}\p{N}])`, 'u');
}

function alternativesOf(list: string): string {
  return list
    .split('|')
    .map((phrase) => phrase.trim())
    .join('|');
}

function matches(phrases: Phrases | undefined, plain: string): boolean {
  return phrases?.opening?.test(plain) === true || phrases?.anywhere?.test(plain) === true;
}

export const QUESTION_TYPES = [
  'number',
  'date',
  'person',
  'place',
  'definition',
  'how-to',
  'why',
  'yes-no',
  'other',
] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

/** What an answer cannot be without. */
const ANSWER_KINDS = ['phone', 'email', 'price', 'year', 'time', 'count', 'person'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** A question that stands alone, with what its words say about the answer. */
export type AnalysedQuestion = PassageQuery & {
  readonly type: QuestionType;
  /** Undefined = an answer may look like anything. */
  readonly asksFor: AnswerKind | undefined;
  /** What somebody new to a place asks first: passages that hold it are preferred, none is refused for want of it. */
  readonly intent: QueryIntent | undefined;
};

/** Words that sentences answer certain questions with, separated by `|`, in lower case without accents. */
type AnswerTable = {
  readonly numbers: string;
  readonly months: string;
  readonly places: string;
  readonly reasons: string;
  readonly steps: string;
  readonly verdicts: string;
  readonly free: string;
};
