type Labels = { readonly all: string; readonly next: string; readonly previous: string };

const ENGLISH: Labels = { all: 'All', next: 'Next', previous: 'Previous' };

/** By primary language subtag; every other language reads English. */
const LABELS: ReadonlyMap<string, Labels> = new Map([
  ['da', { all: 'Alle', next: 'Næste', previous: 'Forrige' }],
  ['de', { all: 'Alle', next: 'Weiter', previous: 'Zurück' }],
  ['en', ENGLISH],
  ['es', { all: 'Todo', next: 'Siguiente', previous: 'Anterior' }],
  ['fi', { all: 'Kaikki', next: 'Seuraava', previous: 'Edellinen' }],
  ['fr', { all: 'Tout', next: 'Suivant', previous: 'Précédent' }],
  ['it', { all: 'Tutti', next: 'Avanti', previous: 'Indietro' }],
  ['nb', { all: 'Alle', next: 'Neste', previous: 'Forrige' }],
  ['nl', { all: 'Alle', next: 'Volgende', previous: 'Vorige' }],
  ['no', { all: 'Alle', next: 'Neste', previous: 'Forrige' }],
  ['pl', { all: 'Wszystkie', next: 'Następna', previous: 'Poprzednia' }],
  ['pt', { all: 'Todos', next: 'Seguinte', previous: 'Anterior' }],
  ['sv', { all: 'Alla', next: 'Nästa', previous: 'Föregående' }],
]);

/** The words of the list of pages and of facets. */
export function labelsOf(language: string): Labels {
  return LABELS.get(language.toLowerCase().split('-', 1)[0] ?? '') ?? ENGLISH;
}
