import type { Random } from '../../../test/helpers/random.ts';

/** Words and phrases of a language, of which texts of pages and of frames are made. */
export type Speech = {
  readonly code: 'en' | 'de';
  readonly home: string;
  readonly subjects: readonly string[];
  readonly verbs: readonly string[];
  readonly objects: readonly string[];
  readonly places: readonly string[];
  readonly topics: readonly string[];
  readonly sections: readonly string[];
  /** Texts that frames put on all pages of a site, by what they are for. */
  readonly cookies: readonly string[];
  readonly newsletter: readonly string[];
  readonly feedback: readonly string[];
  readonly leaving: readonly string[];
  readonly footer: readonly string[];
  readonly contact: readonly string[];
  readonly labels: {
    readonly related: string;
    readonly contents: string;
    readonly share: string;
    readonly contact: string;
    readonly more: string;
    readonly search: string;
    readonly comments: string;
  };
};

const lines = (text: string) => text.split('|');

export const SPEECHES: readonly Speech[] = [
  {
    code: 'en',
    home: 'Home',
    subjects: lines(
      'The council|A permit|The old mill|Every resident|The reading room|Our engineer|The evening course|A ferry ticket|The archive|This form|The swimming pool|A volunteer',
    ),
    verbs: lines('covers|needs|replaces|offers|explains|records|supports|limits|opens|prepares|repairs|shows'),
    objects: lines(
      'all repairs of the quay|a copy of the deed|the costs of two visits|maps of the northern fields|the water meters of a house|letters from the founding years|a place for twelve children|seeds that are kept for one winter|the noise of night trains|tools that can be borrowed',
    ),
    places: lines(
      'until the end of March|near the upper bridge|in the second week of each month|for households of three|without any fee|after a short interview|on both floors of the building|when the river is low|during the summer holidays|within ten working days',
    ),
    topics: lines(
      'Renewal|Rules|Storage|History|Opening|Repair|Funding|Training|Transport|Planning|Registration|Safety',
    ),
    sections: lines(
      'Harbour services|Family support|Culture calendar|Building permits|Water and energy|Local archive|Sports grounds|School places',
    ),
    cookies: lines(
      'We value your privacy and use cookies to improve your visit.|Choose which cookies you allow on this website.',
    ),
    newsletter: lines('Get our news by mail once a month.|You can end the subscription whenever you like.'),
    feedback: lines('Was this page helpful to you?|Tell us what went wrong on this page.'),
    leaving: lines('You are about to leave our website.|We are not responsible for the content of other websites.'),
    footer: lines(
      'All rights reserved by the publisher of this website.|Our switchboard answers calls from eight to four.|Follow us on the usual networks.',
    ),
    contact: lines(
      'Do you have questions about this topic? Our team is happy to help.|Write to us and we answer within two working days.',
    ),
    labels: {
      related: 'Related pages',
      contents: 'On this page',
      share: 'Share this page',
      contact: 'Contact',
      more: 'Read more',
      search: 'Search this site',
      comments: 'Leave a comment',
    },
  },
  {
    code: 'de',
    home: 'Startseite',
    subjects: lines(
      'Die Gemeinde|Eine Genehmigung|Die alte Mühle|Jeder Haushalt|Der Lesesaal|Unser Bauamt|Der Abendkurs|Eine Fahrkarte|Das Archiv|Dieser Antrag|Das Schwimmbad|Ein Verein',
    ),
    verbs: lines('umfasst|braucht|ersetzt|bietet|erklärt|verzeichnet|fördert|begrenzt|öffnet|bereitet|repariert|zeigt'),
    objects: lines(
      'alle Arbeiten am Kai|eine Abschrift der Urkunde|die Kosten für zwei Termine|Karten der nördlichen Felder|die Wasserzähler eines Hauses|Briefe aus den Gründungsjahren|einen Platz für zwölf Kinder|Saatgut für einen Winter|den Lärm der Nachtzüge|Werkzeug zum Ausleihen',
    ),
    places: lines(
      'bis Ende März|an der oberen Brücke|in der zweiten Woche des Monats|für Haushalte mit drei Personen|ohne jede Gebühr|nach einem kurzen Gespräch|auf beiden Etagen des Gebäudes|bei niedrigem Wasserstand|während der Sommerferien|innerhalb von zehn Arbeitstagen',
    ),
    topics: lines(
      'Verlängerung|Regeln|Lagerung|Geschichte|Eröffnung|Reparatur|Förderung|Ausbildung|Beförderung|Planung|Anmeldung|Sicherheit',
    ),
    sections: lines(
      'Hafen und Schifffahrt|Hilfe für Familien|Kultur vor Ort|Bauen und Wohnen|Wasser und Strom|Stadtarchiv und Museum|Sport und Vereine|Schule und Kita',
    ),
    cookies: lines(
      'Wir verwenden Cookies, um Ihren Besuch angenehmer zu machen.|Wählen Sie, welche Cookies Sie auf dieser Website zulassen.',
    ),
    newsletter: lines(
      'Erhalten Sie unsere Nachrichten einmal im Monat per E-Mail.|Sie können sich jederzeit wieder abmelden.',
    ),
    feedback: lines('War diese Seite hilfreich für Sie?|Schreiben Sie uns, was auf dieser Seite fehlt.'),
    leaving: lines(
      'Sie verlassen jetzt unsere Website.|Für die Inhalte anderer Websites sind wir nicht verantwortlich.',
    ),
    footer: lines(
      'Alle Rechte beim Herausgeber dieser Website.|Unsere Zentrale nimmt Anrufe von acht bis vier entgegen.|Folgen Sie uns in den üblichen Netzwerken.',
    ),
    contact: lines(
      'Haben Sie Fragen zu diesem Thema? Unser Team hilft gern.|Schreiben Sie uns, wir antworten in zwei Arbeitstagen.',
    ),
    labels: {
      related: 'Verwandte Seiten',
      contents: 'Auf dieser Seite',
      share: 'Seite teilen',
      contact: 'Kontakt',
      more: 'Mehr lesen',
      search: 'Website durchsuchen',
      comments: 'Kommentar schreiben',
    },
  },
];

const SYLLABLES = 'an bel cor dun el fas gro hal im jes kar lon mer nau os pel rin sta tor uf ven wig yol zen'.split(
  ' ',
);

export function inventedName(random: Random): string {
  const word = random.list(2, 3, () => random.pick(SYLLABLES)).join('');
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A sentence with a name in it, so that no other page has the same. */
export function sentence(random: Random, speech: Speech): string {
  const { subjects, verbs, objects, places } = speech;
  const of = speech.code === 'en' ? 'of' : 'von';
  return `${random.pick(subjects)} ${of} ${inventedName(random)} ${random.pick(verbs)} ${random.pick(objects)} ${random.pick(places)}.`;
}

export function paragraph(random: Random, speech: Speech): string {
  return random.list(2, 5, () => sentence(random, speech)).join(' ');
}
