/** The parts of a page that are the same everywhere, per language. */
export const WORDS = {
  en: {
    siteName: 'Lindenholm Botanical Garden',
    home: '/index',
    skip: 'Skip to content',
    mainNavigation: 'Main',
    breadcrumb: 'Breadcrumb',
    related: 'See also',
    by: 'by',
    updated: 'updated',
    navigation: [
      ['Visit', '/visit/index'],
      ['News', '/news/index'],
      ['Plants', '/plants/index'],
      ['Growing guides', '/guides/index'],
      ['Courses', '/courses/index'],
      ['Research', '/research/index'],
      ['Shop', '/shop/index'],
      ['Forum', '/forum/index'],
      ['Deutsch', '/de/index'],
    ],
    footer: `Lindenholm Botanical Garden, 12 Orangery Road, 48210 Lindenholm. A charity that keeps 11,200 kinds of plants for study, teaching and delight.

- [About the garden](/about/index)
- [Contact](/contact)
- [Questions and answers](/faq)
- [Visitor guide (PDF)](/files/visitor-guide.pdf)
- [Staff area](/staff/rota)

This site sets no cookies. Photographs and texts may be used for teaching when the garden is named.`,
  },
  de: {
    siteName: 'Botanischer Garten Lindenholm',
    home: '/de/index',
    skip: 'Zum Inhalt',
    mainNavigation: 'Hauptmenü',
    breadcrumb: 'Sie sind hier',
    related: 'Siehe auch',
    by: 'von',
    updated: 'geändert am',
    navigation: [
      ['Startseite', '/de/index'],
      ['Öffnungszeiten', '/de/oeffnungszeiten'],
      ['Eintritt', '/de/eintritt'],
      ['Anfahrt', '/de/anfahrt'],
      ['Fragen', '/de/fragen'],
      ['English', '/index'],
    ],
    footer: `Botanischer Garten Lindenholm, Orangeriestraße 12, 48210 Lindenholm. Gemeinnützige Stiftung, 11.200 Pflanzenarten und Sorten.

- [Öffnungszeiten](/de/oeffnungszeiten)
- [Häufige Fragen](/de/fragen)
- [Gartenordnung (PDF)](/files/gartenordnung.pdf)

Diese Seiten setzen keine Cookies. Bilder und Texte dürfen mit Nennung des Gartens im Unterricht verwendet werden.`,
  },
} as const;
