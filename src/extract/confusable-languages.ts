/** Words of a language that the detector takes for its neighbour, and words that only the neighbour has. */
type ConfusablePair = {
  readonly taken: string;
  readonly language: string;
  readonly own: Words;
  readonly others: Words;
};
type Words = ReadonlySet<string>;

const words = (list: string): Words => new Set(list.split(' '));

const CONFUSABLE: readonly ConfusablePair[] = [
  {
    taken: 'ms',
    language: 'id',
    own: words(
      'bahwa karena bisa uang kantor mobil tapi yaitu yakni butuh membutuhkan coba mencoba berbeda pekan senin kamis ' +
        'jumat maret agustus oktober desember kesehatan ujar perusahaan cuma gampang provinsi kabupaten rupiah situs ' +
        'gratis pria memiliki beda dipakai polisi jaringan kalian dirinya ketimbang',
    ),
    others: words(
      'bahawa kerana wang iaitu ialah sahaja cuba mencuba berbeza selepas beliau syarikat kesihatan pejabat isnin ' +
        'khamis jumaat ahad ogos disember mac jun julai encik awak boleh apabila manakala daripada turut menerusi ' +
        'pelajar sekiranya dalam-talian percuma ringgit pelbagai mempunyai berkenaan pihak',
    ),
  },
  {
    taken: 'nl',
    language: 'af',
    own: words("nie 'n ’n hulle ek jy sy daardie hierdie vir wees deur sê gaan baie het hy nou ook kon sou moet"),
    others: words(
      'niet een de van zijn en ik hij zij ze met voor door jij deze dat wordt werd naar heeft hebben er bij zich',
    ),
  },
];

/** Letters of languages that the detector does not know, each in many of their words, and in no other of the script. */
const OWN_LETTERS: readonly (readonly [language: string, RegExp])[] = [
  ['kk', /[қғұ]/giu],
  ['mk', /[ѓќѕ]/giu],
  ['mn', /[өү]/giu],
];
const MIN_OWN_LETTERS = 2;
const CYRILLIC = words('be bg ru sr uk');

/** The language behind a guess of the detector, which knows one of several that are written alike. */
export function confusableLanguage(text: string, detected: string): string {
  if (CYRILLIC.has(detected)) {
    const isOwn = ([, letters]: (typeof OWN_LETTERS)[number]) => (text.match(letters)?.length ?? 0) >= MIN_OWN_LETTERS;
    return OWN_LETTERS.find(isOwn)?.[0] ?? detected;
  }
  const confusable = CONFUSABLE.find(({ taken }) => taken === detected);
  if (confusable === undefined) return detected;
  let own = 0;
  let others = 0;
  for (const [word] of text.toLowerCase().matchAll(/['’]?[\p{L}-]+/gu)) {
    if (confusable.own.has(word)) own++;
    if (confusable.others.has(word)) others++;
  }
  return own > others ? confusable.language : detected;
}
