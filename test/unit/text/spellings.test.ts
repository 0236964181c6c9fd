import { expect, test } from 'vitest';
import { spellingsOf } from '../../../src/text/spellings.ts';

test.each([
  ['de', 'häuser', ['haeuser']],
  ['de', 'haeuser', ['häuser']],
  ['de', 'neue', []],
  ['de', 'bauer', []],
  ['de', 'haar', []],
  ['da', 'koebenhavn', ['københavn']],
  ['da', 'århus', ['aarhus']],
  ['sv', 'vaesteraas', ['västerås']],
  ['fi', 'maa', []],
  ['fi', 'paeivae', ['päivä']],
  ['es', 'instalacion', ['instalación']],
  ['es', 'energias', ['energías']],
  ['pt', 'instalacoes', ['instalações']],
  ['fr', 'musee', ['musée']],
  ['fr', 'capacites', ['capacités']],
  ['fr', 'financiere', ['financière']],
  ['fr', 'résumé', ['resume']],
  ['it', 'quantita', ['quantità']],
  ['pt', 'disponivel', ['disponível']],
  ['en', 'poet', []],
])('%s: %s may also be written %o', (language, word, others) => {
  expect(spellingsOf(word, language)).toEqual(others);
});
