import { readdirSync, readFileSync } from 'node:fs';
import { isStopWord } from '../text/stop-words.ts';
import { compileManySynonyms, compileSynonyms, type SynonymTable } from './synonyms.ts';

/**
 * Words that questions and pages of all subjects use for the same thing. No vocabulary of a product: such words lift
 * the questions they were chosen on by 12 points and others by none (answers design 4). Groups are separated by `|`.
 */
const GROUPS: Readonly<Record<string, string>> = {
  en: `price,cost,fee,charge,pricing | phone,telephone,contact | refund,return | smallest,minimum,min,lowest
    | largest,maximum,max,biggest,highest,limit | delete,remove,uninstall,erase,deletion | backup,back up
    | fix,resolve,solve,recover,troubleshoot | enable,activate,turn on | disable,deactivate,turn off
    | create,add,make | change,modify,update,edit,alter | computer,machine,device | buy,purchase,order
    | job,vacancy,career | license,licence,licensing | raise,increase | began,founded,founder,started,created
    | log,logging | automatically,auto,automatic | broken,failed,faulty | slow,latency,delay | directory,folder
    | password,credential | opening hours,open | show,display,view | often,frequency,interval,periodic | called,named
    | child,kid | pay,payment,price,cost | money,cash,payment | safe,secure,security | speed,fast,quick,performance
    | stop,halt,terminate,shut down,shutdown | start,launch | permitted,allowed,permission | refuse,reject,deny
    | require,necessary,requirement | choose,select,pick | split,divide,separate | join,combine,merge | hide,hidden
    | protect,secure | ask,prompt | answer,reply,response | replace,substitute | wait,pause | keep,retain,preserve
    | picture,image,photo | movie,film | entry,entrance,admission | finish,complete | whole,entire
    | same,equal,identical | check,verify,test | convert,transform | reason,cause | advantage,benefit
    | drawback,disadvantage | recommended,advised | outdated,deprecated,obsolete | error,mistake,failure
    | size,length,big | compare,comparison | number,amount,count
    | person,people | car,vehicle | ill,sick | send,submit | left,remaining`,
  de: `preis,kosten,gebühr,entgelt | telefon,telefonnummer,kontakt | löschen,entfernen | ändern,bearbeiten,anpassen
    | erstellen,anlegen,hinzufügen | kaufen,bestellen,erwerben | öffnungszeiten,geöffnet | gegründet,gründung,gründer
    | maximal,höchstens,maximum | mindestens,minimum,minimal | aktivieren,einschalten | deaktivieren,ausschalten
    | stelle,stellenangebot,karriere | erstattung,rückerstattung,rückgabe | adresse,anschrift`,
  fr: `prix,coût,tarif,frais | téléphone,contact | supprimer,effacer,retirer | modifier,changer | créer,ajouter
    | acheter,commander | horaires,ouverture,ouvert | fondé,fondation,fondateur | maximum,maximal | minimum,minimal
    | activer,allumer | désactiver,éteindre | remboursement,retour | emploi,poste,carrière`,
  es: `precio,coste,costo,tarifa | teléfono,contacto | borrar,eliminar,quitar | modificar,cambiar | crear,añadir
    | comprar,pedir | horario,abierto,apertura | fundado,fundación,fundador | reembolso,devolución | empleo,trabajo`,
  it: `prezzo,costo,tariffa | telefono,contatto | eliminare,cancellare,rimuovere | modificare,cambiare
    | creare,aggiungere | comprare,acquistare,ordinare | orario,aperto,apertura | fondato,fondazione,fondatore`,
  nl: `prijs,kosten,tarief | telefoon,contact | verwijderen,wissen | wijzigen,aanpassen,veranderen
    | maken,toevoegen,aanmaken | kopen,bestellen | openingstijden,open,geopend | opgericht,oprichting,oprichter`,
  pt: `preço,custo,tarifa,taxa | telefone,contato,contacto | excluir,apagar,remover | modificar,alterar,mudar
    | criar,adicionar | comprar,encomendar | horário,aberto,abertura | fundado,fundação,fundador`,
  da: `pris,koster,gebyr,takst | telefon,kontakt | slette,fjerne | ændre,redigere | oprette,tilføje | købe,bestille
    | åbningstider,åben,åbent | grundlagt,stiftet,grundlægger | tilskud,støtte | job,stilling`,
  sv: `pris,kostar,kostnad,avgift | telefon,kontakt | radera,ta bort | ändra,redigera | skapa,lägga till
    | köpa,beställa | öppettider,öppet,öppen | grundad,grundades,grundare | jobb,tjänst`,
  nb: `pris,koster,kostnad,gebyr | telefon,kontakt | slette,fjerne | endre,redigere | opprette,legge til
    | kjøpe,bestille | åpningstider,åpent,åpen | grunnlagt,stiftet,grunnlegger | jobb,stilling`,
  fi: `hinta,maksaa,maksu | puhelin,puhelinnumero,yhteystiedot | poistaa,poisto | muuttaa,muokata | luoda,lisätä
    | ostaa,tilata | aukioloajat,avoinna,auki | perustettu,perustaja`,
  pl: `cena,koszt,opłata | telefon,kontakt | usunąć,skasować | zmienić,edytować | utworzyć,dodać | kupić,zamówić
    | godziny otwarcia,otwarte,czynne | założony,założyciel`,
};

const groups = Object.entries(GROUPS).flatMap(([language, list]) =>
  list.split('|').map((group) => ({ id: 0, customerId: 0, language, words: group.split(',') })),
);
const synonymTables = new Map<string, SynonymTable>();

/** The groups of some languages; made once per choice of them. */
export function generalSynonyms(languages: readonly string[]): SynonymTable {
  const known = languages.filter((language) => language in GROUPS).toSorted();
  const key = known.join(' ');
  const table = synonymTables.get(key) ?? compileSynonyms(groups, known);
  synonymTables.set(key, table);
  return table;
}

/**
 * Words that mean nearly the same, and forms of one word that no stemmer brings together: a file per language, a group
 * per line, `#` before a remark. Entries of `thesaurus` are parted by commas, those of `word-forms` by blanks.
 */
const FOLDERS = { thesaurus: ',', 'word-forms': ' ' } as const;
export type WordGroups = keyof typeof FOLDERS;

const groupTables = new Map<string, Promise<SynonymTable> | undefined>();

/** The groups of a language, read when they are first asked for, in turns; undefined = there are none. */
export async function wordGroups(kind: WordGroups, language: string): Promise<SynonymTable | undefined> {
  const key = `${kind}/${language}`;
  if (!groupTables.has(key))
    groupTables.set(key, languagesOf(kind).has(language) ? compile(kind, language) : undefined);
  return groupTables.get(key);
}

const languages = new Map<WordGroups, ReadonlySet<string>>();

function languagesOf(kind: WordGroups): ReadonlySet<string> {
  const names = () => readdirSync(new URL(`${kind}/`, import.meta.url)).map((name) => name.replace('.txt', ''));
  const known = languages.get(kind) ?? new Set(names());
  languages.set(kind, known);
  return known;
}

/** A lone stop word stands for nothing: nearly every text has it. */
function compile(kind: WordGroups, language: string): Promise<SynonymTable> {
  const text = readFileSync(new URL(`${kind}/${language}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const groups = lines.map((line) => line.split(FOLDERS[kind]).map((entry) => entry.trim()));
  const said = groups.map((words) => words.filter((word) => !isStopWord(word, language)));
  return compileManySynonyms(
    said.map((words) => ({ id: 0, customerId: 0, language, words })),
    [language],
  );
}
