import type { LanguagePack } from './language-pack.ts';

export const GREEK: LanguagePack = {
  code: 'el',
  stopWords: `ο η το οι τα του τησ των τον την τουσ τισ ένα ένασ μια μία ενόσ αυτό αυτόσ αυτή αυτά αυτοί εγώ με μου εσύ σε σου
    αυτόν εμείσ μασ εσείσ σασ εαυτό
    και κι ή αλλά όμωσ γιατί διότι ότι πωσ να αν εάν όταν όπωσ ενώ ούτε ώστε
    από για προσ μετά πριν κατά χωρίσ μέχρι στο στη στην στον στα στουσ στισ
    είναι ήταν είμαι είσαι είμαστε έχει έχουν έχω είχε θα μπορεί μπορούν πρέπει
    ποιοσ ποια ποιο ποιοι τι πού πότε πόσο πόσα που όποιοσ όποια δεν μην όχι εδώ εκεί`,
  abbreviations: undefined,
  definitionVerbs: undefined,
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
