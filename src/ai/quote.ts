import type { Passage } from '../search/passage.ts';
import { foldWord } from '../text/folding.ts';

/** A sentence of a source that is said as it stands. */
export type Quote = {
  readonly reference: number;
  readonly passage: Passage;
  /** Index of the sentence in its passage. */
  readonly at: number;
};

/** A piece of Markdown: one sentence, item, row or block of code with its marker. */
type Piece = { readonly text: string; readonly isInline: boolean; readonly last: Quote };

const END_MARK = /[.!?…。！？।؟]["'”’»」』)\]]*$/u;
/** A longer line says something of its own. */
const LABEL_CHARS = 100;
/** Of a heading or term, to itself. */
const HEADER_LINK = /\s*[¶§]$/u;
/** A footnote of the page would look like a marker of the answer. */
const FOOTNOTE = /\s?\[\d{1,4}\]/g;
/** Words that Markdown would read as markup: tags, and runs of its marks of emphasis and code. */
const MARKUP = /<[^<>]{1,200}>|[^\s`]*(?:\*|__|~~)[^\s`]*/gu;
const OPENS_BLOCK = /^(?=[#>])/;

/**
 * The quotes as Markdown, `[n]` behind each; lists and code as such, a blank line where another source begins, or what
 * stands further up on the page.
 */
export function* quoteSentences(quotes: readonly Quote[]): Generator<string> {
  let before: Piece | undefined;
  for (const piece of piecesOf(quotes)) {
    yield between(before, piece) + piece.text;
    before = piece;
  }
}

function between(before: Piece | undefined, { isInline, last }: Piece): string {
  if (before === undefined) return '';
  if (before.last.reference !== last.reference || isAbove(last, before.last)) return '\n\n';
  return before.isInline && isInline ? ' ' : '\n';
}

function* piecesOf(quotes: readonly Quote[]): Generator<Piece> {
  for (let index = 0; index < quotes.length; ) {
    const run = codeRun(quotes, index);
    const quote = quotes[index];
    if (quote === undefined) return;
    yield run.length > 0 ? codePiece(run) : textPiece(quote, { before: quotes[index - 1], after: quotes[index + 1] });
    index += Math.max(1, run.length);
  }
}

/** Lines of code that stand one below the other, from the index on. */
function codeRun(quotes: readonly Quote[], from: number): readonly Quote[] {
  const run: Quote[] = [];
  for (const quote of quotes.slice(from)) {
    const above = run.at(-1);
    if (!sentenceOf(quote).isCode || (above !== undefined && !follows(above, quote))) break;
    run.push(quote);
  }
  return run;
}

function codePiece(run: readonly Quote[]): Piece {
  const lines = run.map((quote) => sentenceOf(quote).text.trimEnd());
  const last = run[run.length - 1] as Quote;
  const text = lines.join('\n');
  if (run.length === 1) return { text: `${inlineCode(text.trim())} [${last.reference}]`, isInline: false, last };
  const fence = text.includes('```') ? '````' : '```';
  return { text: `\n${fence}\n${text}\n${fence}\n[${last.reference}]\n`, isInline: false, last };
}

function textPiece(
  quote: Quote,
  beside: { readonly before: Quote | undefined; readonly after: Quote | undefined },
): Piece {
  const isNamed = beside.before !== undefined && follows(beside.before, quote);
  const label = isNamed ? undefined : labelOf(quote);
  const own = sentenceOf(quote).text;
  const text = plainMarkdown(label === undefined ? own : `${label}: ${own}`);
  const marked = `${text} [${quote.reference}]`;
  if (isItem(quote, beside)) return { text: `- ${marked.replace(/^[-*•]\s+/, '')}`, isInline: false, last: quote };
  return { text: marked.replace(OPENS_BLOCK, '\\'), isInline: END_MARK.test(text), last: quote };
}

/** A line behind another or what introduces it, or a line without a full stop beside another of its passage. */
function isItem(quote: Quote, { before, after }: { before: Quote | undefined; after: Quote | undefined }): boolean {
  if (!isLine(quote)) return false;
  if (before !== undefined && follows(before, quote) && (isIntro(before) || isLine(before))) return true;
  const isEntry = (other: Quote | undefined) =>
    other?.passage === quote.passage && isLine(other) && !END_MARK.test(sentenceOf(other).text);
  return isEntry(quote) && (isEntry(before) || isEntry(after));
}

/** A row of two cells reads as name and value. */
function plainMarkdown(text: string): string {
  const cells = text.split(' | ');
  const [name, value] = cells;
  const row = cells.length === 2 && name !== undefined && value !== undefined ? `${name}: ${value}` : text;
  return row.replaceAll(FOOTNOTE, '').replaceAll(MARKUP, inlineCode);
}

function inlineCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function sentenceOf({ passage, at }: Pick<Quote, 'passage' | 'at'>): Passage['sentences'][number] {
  return passage.sentences[at] ?? { text: '', isCode: false, isSuspicious: true };
}

function follows(above: Quote, below: Quote): boolean {
  return above.passage === below.passage && above.at + 1 === below.at;
}

/** Stands before the other on the page. */
function isAbove(quote: Quote, other: Quote): boolean {
  const [own, its] = [quote.passage, other.passage];
  return own.ordinal < its.ordinal || (own.ordinal === its.ordinal && quote.at < other.at);
}

/** What a list, or code, follows behind. */
export function isIntro(quote: Pick<Quote, 'passage' | 'at'>): boolean {
  return /[:：]$/.test(sentenceOf(quote).text);
}

/** Stands on a line of its own: an item, a row, or a short paragraph. */
export function isLine(quote: Pick<Quote, 'passage' | 'at'>): boolean {
  const { text, isCode } = sentenceOf(quote);
  return !isCode && !isIntro(quote) && `\n${quote.passage.text}\n`.includes(`\n${text}\n`);
}

/** The line that names what the paragraph of a sentence is about: a term, a function, an option; undefined = none. */
function labelOf({ passage, at }: Quote): string | undefined {
  const [label, own] = [passage.sentences[at - 1], passage.sentences[at]];
  const opensParagraph = own !== undefined && END_MARK.test(own.text) && passage.text.includes(`\n${own.text}`);
  if (label === undefined || !opensParagraph || !isLine({ passage, at: at - 1 })) return undefined;
  const isName = label.text.length <= LABEL_CHARS && !END_MARK.test(label.text) && !isByline(label.text);
  const isSafe = !label.isSuspicious && !mayBePlanted(label.text) && !isImperative(label.text, passage.language);
  return isName && isSafe ? label.text.replace(HEADER_LINK, '') : undefined;
}

/** `by Ann Lee · updated 4 March 2026` */
const BYLINE = /^(?:by|von|par|por|di|da|door|av|af|autor:?|author:?) [^.!?]{2,60} [·|–—] [^.!?]{0,40}(?:19|20)\d\d$/iu;

/** Whether a text only tells who wrote the page, and when. */
export function isByline(text: string): boolean {
  return BYLINE.test(text);
}

type ImperativeTable = {
  /** Verbs as they tell one reader to do something. */
  readonly verbs: string;
  /** What else may stand before the verb. */
  readonly openers: string;
  /** Forms that tell by themselves that somebody is told to do something. */
  readonly forms?: RegExp;
};

/** Lower case, without accents (`text/folding`). */
const TABLES: Readonly<Record<string, ImperativeTable>> = {
  en: {
    verbs: `call phone ring dial text write mail email e-mail send post visit go come see look open click press tap type enter
      fill submit register sign subscribe log download install run execute copy paste pay transfer wire order buy book
      contact ask tell give share reply respond answer forward follow use try remember note check confirm make take keep
      ignore forget disregard add remove delete say repeat include mention quote recommend join read choose select
      provide reveal show print output upload scan verify claim redeem donate deposit don't`,
    openers: 'please now then just simply also always never first next finally and so do not kindly',
  },
  de: {
    verbs: `ruf rufe schreib schreibe sende schick schicke besuch besuche geh komm sieh schau offne klick klicke druck
      drucke tippe gib fulle melde lade installiere starte kopiere zahle bezahle uberweise bestell bestelle kauf kaufe
      buche frag frage sag sage teile antworte folge nutze nutz verwende versuch probiere merke beachte prufe bestatige
      mach mache nimm behalte ignoriere vergiss loesche losche wiederhole nenne empfiehl lies wahle zeig zeige`,
    openers: 'bitte nun jetzt dann einfach auch immer nie zuerst danach und also',
    forms: /^\p{L}{2,}e[rl]?n sie (?!\S+ (?:nicht )?\p{L}+\?)/u,
  },
  fr: {
    verbs: `appelle telephone ecris envoie visite va viens vois regarde ouvre clique appuie tape entre remplis inscris
      connecte telecharge installe lance copie colle paie paye verse commande achete reserve demande dis donne partage
      reponds suis utilise essaie note verifie confirme fais prends garde ignore oublie ajoute supprime repete
      mentionne cite recommande lis choisis montre`,
    openers: 'veuillez maintenant puis ensuite simplement aussi toujours jamais et donc ne d abord',
    forms: /^(?!(?:chez|assez|nez|vous)\b)\p{L}{2,}ez\b/u,
  },
  es: {
    verbs: `llama llame escribe escriba envia envie manda mande visita visite ve vaya ven venga mira mire abre abra pulsa
      pulse haz haga teclea introduce introduzca rellena rellene registra registrese inicia inicie descarga descargue
      instala instale ejecuta ejecute copia copie pega pegue paga pague transfiere transfiera pide pida compra compre
      reserva reserve pregunta pregunte di diga da comparte comparta responde responda sigue siga usa use utiliza
      utilice prueba pruebe recuerda recuerde comprueba compruebe confirma confirme toma tome ignora ignore olvida
      olvide anade anada elimina elimine repite repita menciona mencione cita cite recomienda recomiende lee lea elige
      elija muestra muestre consulta consulte`,
    openers: 'por favor ahora luego despues simplemente tambien siempre nunca primero y no',
  },
  it: {
    verbs: `chiama chiami scrivi scriva invia invii manda mandi visita visiti vai vada vieni venga guarda guardi apri apra
      clicca clicchi premi prema digita digiti inserisci inserisca compila compili registrati accedi acceda scarica
      scarichi installa installi esegui esegua copia copi incolla incolli paga paghi versa versi ordina ordini compra
      compri prenota prenoti chiedi chieda dica condividi condivida rispondi risponda segui segua usa usi utilizza
      utilizzi prova provi ricorda ricordi verifica verifichi conferma confermi fai faccia prendi prenda ignora ignori
      dimentica aggiungi aggiunga elimina elimini ripeti ripeta menziona cita consiglia leggi legga scegli scelga
      mostra mostri consulta consulti`,
    openers: 'prego ora adesso poi quindi semplicemente anche sempre mai prima e non per favore',
  },
  nl: {
    verbs: `bel schrijf stuur mail bezoek ga kom kijk open klik druk typ voer vul registreer log download installeer start
      kopieer plak betaal bestel koop boek vraag zeg geef deel antwoord volg gebruik probeer onthoud controleer bevestig
      maak neem houd negeer vergeet voeg verwijder herhaal noem citeer lees kies toon`,
    openers: 'nu dan gewoon ook altijd nooit eerst daarna en dus alstublieft',
  },
  pt: {
    verbs: `ligue liga escreva escreve envie envia mande manda visite visita venha vem veja ve olhe abra abre clique
      clica carregue prima pressione digite introduza insira preencha registe registre entre descarregue baixe instale
      execute copie cole pague transfira peca compre reserve pergunte diga de partilhe compartilhe responda siga use
      utilize tente lembre verifique confirme faca tome ignore esqueca adicione acrescente remova elimine repita mencione
      cite recomende leia escolha mostre consulte`,
    openers: 'por favor agora depois simplesmente tambem sempre nunca primeiro e nao',
  },
  da: {
    verbs: `ring skriv send besog ga kom se kig abn klik tryk tast indtast udfyld tilmeld log hent installer start kopier
      indsaet betal overfor bestil kob book sporg sig giv del svar folg brug prov husk tjek bekraeft gor tag behold
      ignorer glem tilfoj fjern slet gentag naevn citer anbefal laes vaelg vis kontakt`,
    openers: 'nu sa bare ogsa altid aldrig forst derefter og venligst',
  },
  sv: {
    verbs: `ring skriv skicka besok ga kom se titta oppna klicka tryck ange fyll registrera logga ladda installera starta
      kopiera klistra betala overfor bestall kop boka fraga sag ge dela svara folj anvand prova kolla bekrafta gor ta
      behall ignorera glom lagg ta radera upprepa namn citera rekommendera las valj visa kontakta`,
    openers: 'nu sa bara ocksa alltid aldrig forst sedan och vanligen',
  },
  nb: {
    verbs: `ring skriv send besok ga kom se apne klikk trykk tast fyll registrer logg last installer start kopier
      lim betal overfor bestill kjop spor si gi del svar folg bruk prov husk sjekk bekreft gjor ta behold ignorer glem
      legg fjern slett gjenta nevn siter anbefal les velg vis kontakt`,
    openers: 'na sa bare ogsa alltid aldri forst deretter og vennligst',
  },
  fi: {
    verbs: `soita kirjoita laheta kay mene tule katso avaa napsauta klikkaa paina nappaile syota tayta rekisteroidy kirjaudu
      lataa asenna kaynnista kopioi liita maksa siirra tilaa osta varaa kysy sano anna jaa vastaa seuraa kayta kokeile
      muista tarkista vahvista tee ota pida unohda lisaa poista toista mainitse lainaa suosittele lue valitse nayta`,
    openers: 'nyt sitten vain myos aina ensin ja ole hyva ala',
    forms: /^\p{L}{3,}(?:kaa|kää)\b/u,
  },
  pl: {
    verbs: `zadzwon napisz wyslij odwiedz idz przyjdz zobacz otworz kliknij nacisnij wpisz wypelnij zarejestruj zaloguj
      pobierz zainstaluj uruchom skopiuj wklej zaplac przelej zamow kup zarezerwuj zapytaj powiedz podaj udostepnij
      odpowiedz uzyj sprobuj pamietaj sprawdz potwierdz zrob wez zignoruj zapomnij dodaj usun powtorz wspomnij zacytuj
      polec przeczytaj wybierz pokaz`,
    openers: 'prosze teraz potem po prostu tez zawsze nigdy najpierw i nie',
    forms: /^\p{L}{3,}(?:cie)\b/u,
  },
};

const WORDS = new Map(
  Object.entries(TABLES).map(([language, { verbs, openers, forms }]) => {
    return [language, { verbs: new Set(verbs.split(/\s+/)), openers: new Set(openers.split(' ')), forms }] as const;
  }),
);
/** An item of a list, or its number. */
const MARKS = /^[\s\-*•·"'“”„«»()[\]]*(?:\p{N}{1,3}[.)]\s+)?/u;
const MAX_OPENERS = 3;

/** Whether a sentence begins by telling its reader to do something; false in languages without a table. */
export function isImperative(sentence: string, language: string): boolean {
  const table = WORDS.get(language);
  if (table === undefined || sentence.trimEnd().endsWith('?')) return false;
  const words = sentence
    .replace(MARKS, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}'-]+/u)
    .map(foldWord);
  let first = 0;
  while (first < MAX_OPENERS && table.openers.has(words[first] ?? '')) first++;
  return table.verbs.has(words[first] ?? '') || table.forms?.test(words.slice(first).join(' ')) === true;
}

/** Places on the web, addresses, and words such as `KX-4711` that somebody is to type or pass on. */
const PLANTED =
  /\bhttps?:|\bwww\.|@[\w-]+\.\w|\b[\w-]+\.(?:com|net|org|io|info|biz|xyz)\b|\b(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Z\d_-]{5,}\b/;

/** Whether a text holds what instructions are planted in pages for. */
export function mayBePlanted(text: string): boolean {
  return PLANTED.test(text);
}
