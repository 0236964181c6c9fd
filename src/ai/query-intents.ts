import { foldWord } from '../text/folding.ts';

/** What a plain question (`plainQuestion`) of somebody new to a place wants to know; undefined = something else. */
export function queryIntent(plain: string, language: string): QueryIntent | undefined {
  const table = phrasesOf(language);
  return QUERY_INTENTS.find((intent) => table?.[intent].wanted.test(plain) === true);
}

/** Words that say a need themselves: they are what is asked for, however often questions hold them. */
export function isIntentWord(word: string, intent: QueryIntent, language: string): boolean {
  return phrasesOf(language)?.[intent].names.test(foldWord(word.toLowerCase())) === true;
}

/** Words that pages answer a need with, the one that stands for the need in a question first. */
export function intentWords(intent: QueryIntent, language: string): readonly string[] {
  return INTENT_TABLES[language]?.[intent].words.split(/\s+/) ?? [];
}

/** What pages say for a word of a question about hours (`summer`); undefined = they say the word. */
export function timeWords(word: string, intent: QueryIntent, language: string): readonly string[] | undefined {
  return INTENT_TABLES[language]?.[intent].times?.[foldWord(word.toLowerCase())]?.split(' ');
}

/** How far a text holds what answers a need, 0 to 1: several of its kind are a list of them. */
export function meetsIntent(text: string, intent: QueryIntent, language: string): number {
  return Math.min(1, countOf(text, intent, language) / ENOUGH[intent]);
}

/** Whether a title or heading holds a word that names the need. */
export function namesIntent(title: string, intent: QueryIntent, language: string): boolean {
  return title.split(/[^\p{L}]+/u).some((word) => isIntentWord(word, intent, language));
}

/** Two places named or ways to come, an opening and a closing time of two days; one address to write to. */
const ENOUGH: Readonly<Record<QueryIntent, number>> = { hours: 4, way: 3, price: 3, contact: 1 };

const CLOCK = /\b\d{1,2}[:.h]\d\d\b|\b\d{1,2} ?(?:am|pm|uhr|a\.m\.|p\.m\.)/gu;
const MONEY = /[$€£¥₩₽฿]\s?\d|\d\s?(?:[$€£¥₩₽฿]|(?:eur|usd|gbp|chf|dkk|sek|nok|pln|kr|zl|euros?)\b)/gu;
const REACHED = /\b0\d{2,5}[ /-]?\d{3,}|\+\d[\d ()-]{6,}\d|[\w.+-]{1,64}@[\w-]{1,64}\.\w/gu;

function countOf(text: string, intent: QueryIntent, language: string): number {
  if (intent === 'way') {
    const words = wayWords(language);
    return words === undefined ? 0 : new Set(foldWord(text.toLowerCase()).match(words)).size;
  }
  const pattern = { hours: CLOCK, price: MONEY, contact: REACHED }[intent];
  return text.toLowerCase().match(pattern)?.length ?? 0;
}

const ANY_WORDS = "(?:[\\p{L}\\p{N}'-]+ ){0,5}";

type Phrases = Readonly<Record<QueryIntent, { readonly wanted: RegExp; readonly names: RegExp }>>;
const phrases = new Map<string, Phrases>();
const ways = new Map<string, RegExp>();

/** Compiled when a language is asked for first. */
function phrasesOf(language: string): Phrases | undefined {
  const table = INTENT_TABLES[language];
  if (table === undefined) return undefined;
  const known = phrases.get(language) ?? compile(table);
  phrases.set(language, known);
  return known;
}

function compile(table: Readonly<Record<QueryIntent, IntentTable>>): Phrases {
  const made = QUERY_INTENTS.map((intent) => [
    intent,
    { wanted: wholeWords(table[intent].wanted), names: namesOf(table[intent]) },
  ]);
  return Object.fromEntries(made) as Phrases;
}

function namesOf({ names }: IntentTable): RegExp {
  return new RegExp(`^(?:${alternatives(names)})$`, 'u');
}

function wayWords(language: string): RegExp | undefined {
  const table = INTENT_TABLES[language];
  if (table === undefined) return undefined;
  const known = ways.get(language) ?? new RegExp(`(?<!\\p{L})(?:${alternatives(table.way.words)})`, 'gu');
  ways.set(language, known);
  return known;
}

function wholeWords(list: string): RegExp {
  const either = list
    .split('|')
    .map((each) => each.trim().replace('~', ANY_WORDS))
    .join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${either})(?![\\p{L}\\p{N}])`, 'u');
}

function alternatives(words: string): string {
  return foldWord(words.toLowerCase()).trim().split(/\s+/).join('|');
}

/** What visitors of a place ask first: when it is open, how to get there, what it costs, whom to call or write to. */
const QUERY_INTENTS = ['hours', 'way', 'price', 'contact'] as const;
export type QueryIntent = (typeof QUERY_INTENTS)[number];

type IntentTable = {
  /** Phrases of questions without accents, separated by `|`; `~` stands for up to five words. */
  readonly wanted: string;
  /** Words of those questions that name the need itself. */
  readonly names: string;
  /** Words of those questions that pages answer with other words: each with what stands for it. */
  readonly times?: Readonly<Record<string, string>>;
  /** Words of pages that answer it, separated by blanks, the one that stands for the need first. */
  readonly words: string;
};

const PLACES_EN = 'garden museum library shop store office park restaurant cafe pool zoo theatre theater castle school'
  .split(' ')
  .map((place) => `where is (?:the|your) (?:\\p{L}+ )?${place}`)
  .join('|');

/** A page that is about every day need not name this one. */
const daysOf = (days: string, words: string) => Object.fromEntries(days.split(/\s+/).map((day) => [day, words]));

const INTENT_TABLES: Readonly<Record<string, Readonly<Record<QueryIntent, IntentTable>>>> = {
  en: {
    hours: {
      wanted: `when (?:is|are) ~(?:open|closed)|(?:when|what time|until when|how late) (?:do|does|will|can) ~(?:open|close|shut)
        |(?:how late|what time|until when|till when) (?:is|are) ~open|are you (?:open|closed)
        |(?:opening|closing|visiting|business) (?:hours|times?)`,
      names: 'open opening opened close closed closing shut hours',
      words: 'open hours closed',
      times: {
        spring: 'march april may',
        summer: 'june july august',
        autumn: 'september october november',
        winter: 'december january february',
        weekend: 'saturday sunday',
        weekends: 'saturday sunday',
        today: 'daily',
        tomorrow: 'daily',
        tonight: 'evening',
        now: 'daily',
        holidays: 'closed',
        christmas: 'december',
        ...daysOf(
          `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
          saturdays sundays`,
          'daily day',
        ),
      },
    },
    way: {
      wanted: `how (?:do|can|could|should) (?:i|we|you|one) (?:get|come|travel|drive) (?:to|there|here)
        |(?:how to|how can i|how do i) (?:get to|get there|get here|reach) ~(?:garden|museum|you)|directions to|where are you
        |${PLACES_EN}`,
      names: 'reach directions',
      words: 'address tram bus train station car parking bicycle metro ferry motorway airport entrance reach',
    },
    price: {
      wanted: `(?:ticket|entry|entrance|admission) (?:price|prices|fee|fees|cost|costs)|(?:cost|price|prices) (?:of|for|to)
        |(?:does|do|is|are|would) ~(?:cost|ticket|tickets|admission|entry)|(?:get|come|go) in ~free|free (?:entry|admission)`,
      names: 'cost costs price prices fee fees free',
      words: 'price cost fee adult admission',
    },
    contact: {
      wanted: `(?:phone|telephone) number|(?:how|where) (?:can|do|could) (?:i|we) (?:contact|reach|call|phone|write to|email) (?:you|somebody|someone)
        |contact details|email address|e-mail address`,
      names: 'phone telephone number email contact call',
      words: 'contact telephone phone email call',
    },
  },
  de: {
    hours: {
      wanted: `wann (?:hat|haben|ist|sind|habt|macht|machen|offnet|schliesst) ~(?:geoffnet|offen|auf|zu|geschlossen)|wann (?:offnet|schliesst)
        |offnungszeiten|wie lange (?:hat|ist|haben|sind) ~(?:geoffnet|offen|auf)`,
      names: 'offnet geoffnet offen geschlossen schliesst offnungszeiten',
      words: 'geöffnet öffnungszeiten geschlossen',
      times: {
        fruhling: 'märz april mai',
        sommer: 'juni juli august',
        herbst: 'september oktober november',
        winter: 'dezember januar februar',
        wochenende: 'samstag sonntag',
        weihnachten: 'dezember',
        heute: 'täglich',
        morgen: 'täglich',
        feiertagen: 'geschlossen',
        ...daysOf(
          `montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags
          samstags sonntags`,
          'täglich tag',
        ),
      },
    },
    way: {
      wanted: `wie (?:komme|kommt|kommen|gelange|erreiche|erreicht|finde) (?:ich|man|wir) ~(?:zu|zum|zur|nach|hin|den|das|die|euch|ihnen)|anfahrt
        |wo (?:liegt|ist|befindet sich) (?:der|das|die) (?:garten|museum|bibliothek|laden|schloss|zoo|theater)`,
      names: 'erreiche erreichen anfahrt',
      words: 'adresse anfahrt straßenbahn bus bahnhof zug parkplatz fahrrad auto schiff haltestelle eingang',
    },
    price: {
      wanted: 'was kostet|was kosten|wie viel kostet|wie viel kosten|eintrittspreis|eintrittspreise|preise fur',
      names: 'kostet kosten preis preise',
      words: 'preise kosten erwachsene',
    },
    contact: {
      wanted: 'telefonnummer|rufnummer|wie (?:kann ich|erreiche ich) ~(?:euch|sie|jemanden)|mailadresse|e-mail-adresse',
      names: 'telefonnummer erreiche kontakt',
      words: 'kontakt telefon telefonnummer',
    },
  },
  fr: {
    hours: {
      wanted: "(?:quand|a quelle heure) ~(?:ouvert|ouverte|ouvre|ouvrent|ferme|ferment)|horaires|heures d'ouverture",
      names: 'ouvert ouverte ouvre ouvrent ferme ferment horaires ouverture',
      words: 'ouvert horaires fermé',
      times: daysOf('lundi mardi mercredi jeudi vendredi samedi dimanche', 'jours jour'),
    },
    way: {
      wanted:
        "comment (?:aller|venir|se rendre|arriver) ~(?:a|au|aux|chez)|comment y aller|ou se trouve (?:le|la) (?:jardin|musee)|plan d'acces",
      names: 'acces',
      words: 'adresse accès tram bus gare train parking vélo métro voiture',
    },
    price: {
      wanted: 'combien coute|combien coutent|quel est le prix|quel est le tarif|tarifs',
      names: 'coute coutent prix tarif tarifs',
      words: 'prix tarif adulte',
    },
    contact: {
      wanted: 'numero de telephone|comment (?:vous|nous) ~(?:contacter|joindre)|adresse e-mail|adresse mail',
      names: 'telephone numero contacter joindre',
      words: 'contact téléphone',
    },
  },
  es: {
    hours: {
      wanted: '(?:cuando|a que hora) ~(?:abierto|abierta|abre|abren|cierra|cierran)|horario|horarios',
      names: 'abierto abierta abre abren cierra cierran horario horarios',
      words: 'abierto horario cerrado',
      times: daysOf('lunes martes miercoles jueves viernes sabado sabados domingo domingos', 'diario días'),
    },
    way: {
      wanted: 'como (?:llegar|llego|se llega|ir|voy) ~(?:a|al|hasta)|donde (?:esta|queda) el (?:jardin|museo)',
      names: 'llegar llego',
      words: 'dirección tranvía autobús estación tren aparcamiento bicicleta metro coche',
    },
    price: {
      wanted: 'cuanto cuesta|cuanto cuestan|cuanto vale|precio de',
      names: 'cuesta cuestan precio precios',
      words: 'precio cuesta adulto',
    },
    contact: {
      wanted: 'numero de telefono|como (?:contactar|contacto|puedo contactar)|correo electronico',
      names: 'telefono numero contactar contacto',
      words: 'contacto teléfono',
    },
  },
};
