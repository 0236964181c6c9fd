import { stemWord } from '../../text/stemming.ts';

/**
 * Words that writers add or exchange freely without changing what is claimed: verbs of any subject, words about the
 * text itself, adverbs. They count little whether a source has them or not.
 */
const LIGHT: Readonly<Record<string, string>> = {
  en: `may numerous frequently entire whole cost costs price priced pay pays paid charge fee use used using usage employ make made let lets allow provide provides offer offers give gives given take takes need
    needs require requires contain contains hold holds include includes show shows display displays get gets go goes come
    comes put puts keep keeps want wants like see look help helps work works serve serves create run execute set configure
    change modify consult refer referred mean means become becomes remain happen happens occur done called named known
    found find able available possible different certain various several many much some any each every both other
    another such also too very quite just simply only even still already again always usually generally typically often
    normally mainly mostly please note according documentation document documentation page site website source article guide
    text manual section information provided states stated mentions mentioned says say described describe describes explains
    example instance however therefore moreover furthermore additionally addition besides instead way ways thing things
    kind type sort part parts case cases time times number amount people person someone person anyone everyone user users visitor visitors
    currently now today then once first finally specifically particular especially well order specify specified following large big small little
    must has have own new long same more most less than around about approximately roughly nearly almost`,
  de: `kosten kostet preis preise zahlen bezahlen benutzen verwenden nutzen machen lassen bieten bietet geben gibt nehmen brauchen benötigen enthalten enthält zeigen
    zeigt finden findet befindet liegt steht kommen gehen bekommen erhalten halten helfen arbeiten laut gemäss gemäß
    dokumentation seite webseite website quelle artikel text angaben informationen auch sehr nur noch schon bereits immer
    meist meistens oft normalerweise bitte hinweis beispiel zudem ausserdem außerdem dabei dazu jedoch daher deshalb etwa rund circa
    ungefähr verschieden viele einige mehrere ander weitere möglich verfügbar gehören gehört handelt besucher person menschen jeder jede
    jedes sowie insgesamt jeweils`,
  fr: `coûter coûte coûtent prix payer paient utiliser faire laisser offrir offre proposer propose donner donne prendre besoin contenir contient montrer trouver trouve
    situe aller venir obtenir recevoir garder aider selon documentation page site source article texte informations aussi
    très seulement encore déjà toujours souvent généralement veuillez note exemple cependant donc environ différents plusieurs
    autres possible disponible personne personnes visiteurs chaque permet`,
  es: `costar cuesta cuestan precio pagar pagan usar utilizar hacer dejar ofrecer ofrece dar da tomar necesitar necesita contener contiene mostrar encontrar encuentra
    ir venir obtener recibir mantener ayudar según documentación página sitio fuente artículo texto información también muy solo
    todavía ya siempre menudo generalmente favor nota ejemplo embargo además aproximadamente diferentes varios otros posible
    disponible persona personas visitantes cada permite`,
  it: `costare costa costano prezzo pagare pagano usare utilizzare fare lasciare offrire offre dare prendere bisogno contenere contiene mostrare trovare trova andare venire
    ottenere ricevere tenere aiutare secondo documentazione pagina sito fonte articolo testo informazioni anche molto solo ancora
    già sempre spesso generalmente prego nota esempio tuttavia inoltre circa diversi alcuni altri possibile disponibile persona
    persone visitatori ogni permette`,
  nl: `kosten kost prijs betalen betaal gebruiken maken laten bieden biedt geven geeft nemen nodig bevatten bevat tonen vinden vindt bevindt gaan komen krijgen
    ontvangen houden helpen volgens documentatie pagina site website bron artikel tekst informatie ook zeer heel alleen nog al
    altijd vaak meestal graag let voorbeeld echter bovendien daarnaast ongeveer verschillende enkele andere mogelijk beschikbaar
    persoon mensen bezoekers elke iedere`,
  pt: `custar custa custam preço pagar pagam usar utilizar fazer deixar oferecer oferece dar tomar precisar precisa conter contém mostrar encontrar encontra ir vir obter
    receber manter ajudar segundo acordo documentação página site fonte artigo texto informações também muito apenas ainda já sempre
    frequentemente geralmente favor nota exemplo entanto além aproximadamente diferentes vários outros possível disponível pessoa
    pessoas visitantes cada permite`,
  da: `koste koster pris betale betaler bruge benytte anvende lave gøre lade tilbyde tilbyder give giver tage tager behøve indeholde indeholder vise viser finde
    finder findes ligger gå komme få får modtage modtager holde hjælpe ifølge følge dokumentation side siden hjemmeside kilde artikel tekst information
    oplysninger også meget kun endnu allerede altid ofte normalt venligst bemærk eksempel dog derfor desuden cirka omkring forskellige flere
    andre mulig muligt tilgængelig person personer folk borger borgere hver hvert samt sker foregår`,
  sv: `kosta kostar pris betala betalar använda göra låta erbjuda erbjuder ge ger ta tar behöva behöver innehålla innehåller visa visar finna hitta finns ligger gå komma få
    får hålla hjälpa enligt dokumentation sida sidan webbplats källa artikel text information också även mycket bara endast ännu redan
    alltid ofta vanligtvis vänligen notera exempel dock därför dessutom cirka ungefär olika flera andra möjlig tillgänglig person
    personer folk besökare varje samt`,
  nb: `koste koster pris betale betaler bruke benytte gjøre lage la tilby tilbyr gi gir ta tar trenge trenger inneholde inneholder vise viser finne finner finnes
    ligger gå komme få får holde hjelpe ifølge følge dokumentasjon side siden nettside kilde artikkel tekst informasjon også svært veldig bare kun ennå
    allerede alltid ofte vanligvis vennligst merk eksempel likevel derfor dessuten cirka omtrent ulike flere andre mulig
    tilgjengelig person personer folk besøkende hver samt`,
  fi: `maksaa hinta käyttää käytetään tehdä antaa antavat tarjota tarjoaa ottaa tarvita tarvitsee sisältää näyttää löytyä löytyy sijaitsee mennä tulla saada
    saa pitää auttaa mukaan dokumentaatio sivu sivun sivusto lähde artikkeli teksti tiedot myös hyvin vain vielä jo aina usein yleensä
    huomaa esimerkki kuitenkin siksi lisäksi noin eri useita muut mahdollinen saatavilla henkilö ihmiset kävijät jokainen sekä`,
  pl: `kosztować kosztuje cena płacić płacą używać użyć robić pozwala oferować oferuje dawać daje brać potrzebować potrzebuje zawierać zawiera pokazać pokazuje znaleźć
    znajduje iść przyjść dostać otrzymać trzymać pomóc według zgodnie dokumentacja dokumentacją strona strony źródło artykuł tekst informacje także również
    bardzo tylko jeszcze już zawsze często zwykle proszę uwaga przykład jednak dlatego ponadto około różne kilka inne możliwe
    dostępne osoba osoby ludzie odwiedzający każdy`,
};

const STEMS = new Map<string, ReadonlySet<string>>();

/** Whether the stem is that of a word that adds hardly anything to a claim. */
export function isLight(stem: string, language: string): boolean {
  let stems = STEMS.get(language);
  if (stems === undefined) {
    const words = (LIGHT[language] ?? '').split(/\s+/).filter((word) => word !== '');
    stems = new Set(words.map((word) => stemWord(word, language)));
    STEMS.set(language, stems);
  }
  return stems.has(stem);
}
