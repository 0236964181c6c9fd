/** What visitors of a place ask first: when it is open, how to get there, what it costs, whom to call or write to. */
export const QUERY_INTENTS = ['hours', 'way', 'price', 'contact'] as const;
export type QueryIntent = (typeof QUERY_INTENTS)[number];

export type IntentTable = {
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

export const INTENT_TABLES: Readonly<Record<string, Readonly<Record<QueryIntent, IntentTable>>>> = {
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
