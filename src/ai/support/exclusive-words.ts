import { stemWord } from '../../text/stemming.ts';

/**
 * Groups of words of which only one can be true of the same thing, by language: `|` between groups, `/` between
 * spellings of one word. A statement may not hold one where its source holds another of the group instead.
 */
const GROUPS: Readonly<Record<string, string>> = {
  en: `enable disable|enabled disabled|increase decrease/reduce|before after|minimum/min maximum/max|least most|allow
    deny/forbid/prohibit|allowed denied/forbidden/prohibited|permit prohibit|always never|required/mandatory/compulsory
    optional/voluntary|first last|above/over below/under|start stop|begin end|open/opened/opens close/closed/closes/shut|add
    remove/delete|with without|true false|more fewer/less|all none/some|every no|higher/greater lower/smaller|high low|faster slower|fast
    slow|internal external|public private|older newer|old new|early late|earlier later|inside outside|indoor/indoors
    outdoor/outdoors|free paid|include/includes/included exclude/excludes/excluded|accept reject/refuse|success
    failure|succeed fail|succeeds fails|large/big small|larger/bigger smaller|long short|longer shorter|hot cold|warm
    cool/cold|wet dry|up down|left right|top bottom|front back|strong weak|easy difficult/hard|cheap
    expensive|cheaper dearer|empty full|even odd|input output|read write|send receive|import export|encrypt
    decrypt|ascending descending|positive negative|upper lower|forward backward|client server|parent child|buy sell|win
    lose|safe dangerous|best worst|better worse|rise/rises/rose fall/falls/fell|north south east west|northern southern
    eastern western|spring summer autumn/fall winter|morning afternoon evening night|second/seconds minute/minutes
    hour/hours day/days week/weeks month/months year/years|hourly daily weekly monthly yearly/annually/annual|monday
    tuesday wednesday thursday friday saturday sunday|weekday/weekdays weekend/weekends|january february march april may
    june july august september october november december|millimetre/millimetres/mm centimetre/centimetres/cm
    metre/metres/meter/meters kilometre/kilometres/km mile/miles|gram/grams/g kilogram/kilograms/kg/kilo
    tonne/tonnes/ton|euro/euros dollar/dollars pound/pounds|byte/bytes bit/bits kilobyte/kb megabyte/mb gigabyte/gb|adult/adults
    child/children|man/men woman/women|brother sister|father mother|son daughter|red blue green yellow white black
    brown orange purple pink grey|must may/might|today tomorrow yesterday|local remote|static dynamic|single
    multiple/several|same different|synchronous asynchronous|lowercase uppercase|mutable immutable|shallow deep|horizontal
    vertical|width height|likely unlikely|possible impossible|valid invalid|safe unsafe|legal illegal|available
    unavailable|necessary unnecessary|known unknown|used unused|sorted unsorted|signed unsigned|equal unequal|supported unsupported`,
  de: `aktivieren deaktivieren|aktiviert deaktiviert|erhöhen senken/verringern|vor nach|minimum/mindestens
    maximum/höchstens|erlaubt verboten/untersagt|erlauben verbieten|immer nie/niemals|pflicht freiwillig|erste letzte|über
    unter|offen/geöffnet geschlossen|öffnet schliesst/schließt|öffnen schliessen/schließen|beginn ende|beginnt endet|hinzufügen
    entfernen/löschen|wahr falsch|mehr weniger|alle keine/einige|höher niedriger|hoch niedrig|schneller langsamer|schnell
    langsam|öffentlich privat|älter jünger|alt neu|früher später|früh spät|innen aussen/außen|drinnen draussen/draußen|kostenlos/gratis
    kostenpflichtig|inklusive exklusive|gross/groß klein|grösser/größer kleiner|lang kurz|länger kürzer|warm kalt|heiss/heiß
    kalt|nass/feucht trocken|links rechts|oben unten|vorne hinten|stark schwach|leicht schwer|billig teuer|leer voll|sommer
    winter frühling/frühjahr herbst|morgen/vormittag mittag nachmittag abend nacht|sekunde/sekunden minute/minuten
    stunde/stunden tag/tage/tagen woche/wochen monat/monate/monaten jahr/jahre/jahren|täglich wöchentlich monatlich
    jährlich|montag/montags dienstag/dienstags mittwoch/mittwochs donnerstag/donnerstags freitag/freitags samstag/samstags
    sonntag/sonntags|januar februar märz april mai juni juli august september oktober november dezember|millimeter
    zentimeter meter kilometer|gramm kilogramm/kilo tonne/tonnen|norden süden osten westen|erwachsene
    kinder|mit ohne|werktags wochenende|rot blau grün gelb weiss/weiß schwarz braun|viel wenig|viele wenige|möglich
    unmöglich|gültig ungültig|sonnig schattig`,
  fr: `activer désactiver|activé désactivé|augmenter diminuer/réduire|avant après|minimum maximum|autorisé interdit|permis
    interdit|toujours jamais|obligatoire facultatif|premier/première dernier/dernière|dessus dessous|ouvert fermé|ouvre
    ferme|début fin|commence finit/termine|ajouter supprimer/retirer|vrai faux|plus moins|tous/toutes aucun/aucune|rapide
    lent|public privé|ancien nouveau|tôt tard|intérieur extérieur|gratuit payant|inclus exclu|grand petit|long
    court|chaud froid|humide sec|gauche droite|haut bas|fort faible|facile difficile|cher bon|vide plein|été hiver
    printemps automne|matin midi soir nuit|seconde/secondes minute/minutes heure/heures jour/jours semaine/semaines mois
    an/ans/année/années|quotidien hebdomadaire mensuel annuel|lundi mardi mercredi jeudi vendredi samedi dimanche|janvier
    février mars avril mai juin juillet août septembre octobre novembre décembre|nord sud est ouest|avec sans|adulte/adultes
    enfant/enfants|possible impossible|valide invalide`,
  es: `activar desactivar|activado desactivado|aumentar disminuir/reducir|antes después|mínimo máximo|permitido
    prohibido|permite prohíbe|siempre nunca|obligatorio opcional/voluntario|primero/primera/primer último/última|encima
    debajo|abierto cerrado|abre cierra|inicio fin|empieza termina|añadir eliminar/quitar|verdadero falso|más menos|todos/todas
    ninguno/ninguna|rápido lento|público privado|viejo nuevo|temprano tarde|dentro fuera|interior exterior|gratis/gratuito
    pago|incluido excluido|grande pequeño|largo corto|caliente frío|húmedo seco|izquierda derecha|alto bajo|fuerte débil|fácil
    difícil|caro barato|vacío lleno|verano invierno primavera otoño|segundo/segundos minuto/minutos hora/horas día/días
    semana/semanas mes/meses año/años|diario semanal mensual anual|lunes martes miércoles jueves viernes sábado/sábados
    domingo/domingos|enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre|norte sur
    este oeste|con sin|adulto/adultos niño/niños|posible imposible|válido inválido`,
  it: `attivare disattivare|attivo disattivo|aumentare diminuire/ridurre|prima dopo|minimo massimo|permesso/consentito
    vietato|sempre mai|obbligatorio facoltativo|primo/prima ultimo/ultima|sopra sotto|aperto chiuso|apre chiude|inizio
    fine|inizia finisce/termina|aggiungere rimuovere/eliminare|vero falso|più meno|tutti/tutte nessuno/nessuna|veloce
    lento|pubblico privato|vecchio nuovo|presto tardi|dentro fuori|interno esterno|gratuito/gratis pagamento|incluso
    escluso|grande piccolo|lungo corto/breve|caldo freddo|umido secco|sinistra destra|alto basso|forte debole|facile
    difficile|caro economico|vuoto pieno|estate inverno primavera autunno|mattina pomeriggio sera notte|secondo/secondi
    minuto/minuti ora/ore giorno/giorni settimana/settimane mese/mesi anno/anni|quotidiano settimanale mensile
    annuale|lunedì martedì mercoledì giovedì venerdì sabato domenica|gennaio febbraio marzo aprile maggio giugno luglio
    agosto settembre ottobre novembre dicembre|nord sud est ovest|con senza|adulto/adulti bambino/bambini|possibile
    impossibile|valido invalido`,
  nl: `inschakelen uitschakelen|ingeschakeld uitgeschakeld|verhogen verlagen|voor na|minimum/minimaal/minstens
    maximum/maximaal/hoogstens|toegestaan verboden|altijd nooit|verplicht optioneel/vrijwillig|eerste laatste|boven
    onder|open/geopend gesloten|opent sluit|begin einde|begint eindigt|toevoegen verwijderen|waar onwaar|meer minder|alle
    geen/sommige|hoger lager|hoog laag|sneller langzamer|snel langzaam|openbaar privé|ouder jonger|oud nieuw|vroeg laat|vroeger
    later|binnen buiten|gratis betaald|inclusief exclusief|groot klein|lang kort|warm koud|nat/vochtig droog|links
    rechts|sterk zwak|makkelijk/gemakkelijk moeilijk|goedkoop duur|leeg vol|zomer winter lente/voorjaar herfst|ochtend middag
    avond nacht|seconde/seconden minuut/minuten uur/uren dag/dagen week/weken maand/maanden jaar/jaren|dagelijks wekelijks
    maandelijks jaarlijks|maandag dinsdag woensdag donderdag vrijdag zaterdag zondag|januari februari maart april mei juni
    juli augustus september oktober november december|noorden zuiden oosten westen|met zonder|volwassenen
    kinderen|mogelijk onmogelijk|geldig ongeldig|wel niet`,
  pt: `ativar desativar|ativado desativado|aumentar diminuir/reduzir|antes depois/após|mínimo máximo|permitido
    proibido|sempre nunca|obrigatório opcional|primeiro/primeira último/última|acima abaixo|aberto fechado|abre
    fecha|início fim|começa termina|adicionar remover|verdadeiro falso|mais menos|todos/todas nenhum/nenhuma|rápido
    lento|público privado|velho novo|cedo tarde|dentro fora|interno externo|grátis/gratuito pago|incluído excluído|grande
    pequeno|longo curto|quente frio|úmido/húmido seco|esquerda direita|alto baixo|forte fraco|fácil difícil|caro
    barato|vazio cheio|verão inverno primavera outono|manhã tarde noite|segundo/segundos minuto/minutos hora/horas dia/dias
    semana/semanas mês/meses ano/anos|diário semanal mensal anual|segunda terça quarta quinta sexta sábado
    domingo|janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro|norte sul leste
    oeste|com sem|adulto/adultos criança/crianças|possível impossível|válido inválido`,
  da: `aktivere deaktivere|øge mindske/nedsætte/sænke|før efter|mindst højst|minimum maksimum|tilladt/lovligt forbudt/ulovligt|altid
    aldrig|obligatorisk frivillig|første sidste|over under|åben/åbent/åbne lukket/lukkede|åbner lukker|begynder/starter
    slutter|tilføje fjerne|sandt falsk|mere mindre|flere færre|alle ingen/nogle|højere lavere|høj lav|hurtigere
    langsommere|hurtig langsom|offentlig privat|ældre yngre|ældste yngste|gammel/gamle ny/nye|tidlig sen|tidligere
    senere|inde ude|inden efter|gratis betalt|inklusive eksklusive|stor/store lille/små|større mindre|lang/lange kort/korte|længere
    kortere|varm/varmt kold/koldt|våd tør|venstre højre|øverst nederst|stærk svag|nem/let svær|billig dyr|tom fuld|sommer/sommeren
    vinter/vinteren forår/foråret efterår/efteråret|morgen formiddag eftermiddag aften nat|sekund/sekunder minut/minutter
    time/timer dag/dage/dages uge/uger/ugers måned/måneder/måneders år/års|dagligt ugentligt månedligt årligt|mandag/mandage
    tirsdag/tirsdage onsdag/onsdage torsdag/torsdage fredag/fredage lørdag/lørdage søndag/søndage|hverdage
    weekend/weekender|januar februar marts april maj juni juli august september oktober november december|meter kilometer
    centimeter|nord syd øst vest|med uden|voksne børn|lige ulige|skal må|muligt umuligt|gyldig ugyldig|rød/rødt/røde blå/blåt
    grøn/grønt/grønne gul/gult/gule hvid/hvidt/hvide sort/sorte|halvdelen hele`,
  sv: `aktivera inaktivera|öka minska|före efter|minst högst|minimum maximum|tillåtet/tillåten förbjudet/förbjuden|alltid
    aldrig|obligatorisk/obligatoriskt frivillig/frivilligt|första sista|över under|öppen/öppet/öppna stängt/stängd/stängda|öppnar
    stänger|börjar slutar|lägga ta|sant falskt|mer/mera mindre|fler färre|alla inga/några|högre lägre|hög
    låg|snabbare långsammare|snabb långsam|offentlig privat|äldre yngre|gammal/gamla ny/nya|tidig sen|tidigare
    senare|inne/inomhus ute/utomhus|gratis betald|inklusive exklusive|stor/stora liten/små|större mindre|lång/långa
    kort/korta|varm kall|våt torr|vänster höger|stark svag|lätt svår|billig dyr|tom full|sommar/sommaren vinter/vintern
    vår/våren höst/hösten|morgon förmiddag eftermiddag kväll natt|sekund/sekunder minut/minuter timme/timmar dag/dagar
    vecka/veckor månad/månader år/års|dagligen veckovis månadsvis årligen|måndag/måndagar tisdag/tisdagar onsdag/onsdagar
    torsdag/torsdagar fredag/fredagar lördag/lördagar söndag/söndagar|vardagar helger|januari februari mars april maj juni
    juli augusti september oktober november december|norr söder öster väster|med utan|vuxna barn|möjligt
    omöjligt|giltig ogiltig`,
  nb: `aktivere deaktivere|øke redusere/minske|før etter|minst høyst/maks|tillatt forbudt|alltid aldri|obligatorisk
    frivillig|første siste|over under|åpen/åpent/åpne stengt/stengte|åpner stenger|begynner/starter slutter|legge
    fjerne|sant usant|mer mindre|flere færre|alle ingen/noen|høyere lavere|høy lav|raskere langsommere|rask
    langsom|offentlig privat|eldre yngre|gammel/gamle ny/nye|tidlig sen/sent|tidligere senere|inne ute|gratis
    betalt|inkludert ekskludert|stor/store liten/små|større mindre|lang/lange kort/korte|varm kald|våt tørr|venstre
    høyre|sterk svak|lett vanskelig|billig dyr|tom full|sommer/sommeren vinter/vinteren vår/våren høst/høsten|morgen
    formiddag ettermiddag kveld natt|sekund/sekunder minutt/minutter time/timer dag/dager uke/uker måned/måneder
    år/års|daglig ukentlig månedlig årlig|mandag/mandager tirsdag/tirsdager onsdag/onsdager torsdag/torsdager
    fredag/fredager lørdag/lørdager søndag/søndager|hverdager helger|januar februar mars april mai juni juli august
    september oktober november desember|nord sør øst vest|med uten|voksne barn|mulig umulig|gyldig ugyldig`,
  fi: `ottaa poistaa|lisätä vähentää|ennen jälkeen|vähintään enintään|sallittu kielletty|aina koskaan|pakollinen
    vapaaehtoinen|ensimmäinen viimeinen|yli alle|auki/avoinna kiinni/suljettu|avataan suljetaan|alkaa päättyy|tosi
    epätosi|enemmän vähemmän|kaikki/kaikille mikään|korkeampi matalampi|nopeammin hitaammin|julkinen
    yksityinen|vanha uusi|aikaisin myöhään|sisällä ulkona|maksuton/ilmainen maksullinen|suuri/iso pieni|pitkä
    lyhyt|lämmin kylmä|märkä kuiva|vasen oikea|vahva heikko|helppo vaikea|halpa kallis|tyhjä täynnä|kesä/kesällä
    talvi/talvella kevät/keväällä syksy/syksyllä|aamulla illalla yöllä|sekunti/sekuntia minuutti/minuuttia tunti/tuntia
    päivä/päivää viikko/viikkoa kuukausi/kuukautta vuosi/vuotta|päivittäin viikoittain kuukausittain vuosittain|maanantai/maanantaisin
    tiistai/tiistaisin keskiviikko/keskiviikkoisin torstai/torstaisin perjantai/perjantaisin lauantai/lauantaisin
    sunnuntai/sunnuntaisin|tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu
    joulukuu|pohjoinen etelä itä länsi|aikuiset lapset`,
  pl: `włączyć wyłączyć|włączony wyłączony|zwiększyć zmniejszyć|przed po|minimum/minimalnie/najmniej
    maksimum/maksymalnie/najwyżej/najwięcej|dozwolone/dozwolony zabronione/zabroniony|zawsze nigdy|obowiązkowy/obowiązkowe
    dobrowolny/dobrowolne|pierwszy/pierwsza ostatni/ostatnia|nad pod|otwarte/otwarty/otwarta zamknięte/zamknięty/zamknięta|otwiera
    zamyka|początek koniec|zaczyna kończy|dodać usunąć|prawda fałsz|więcej mniej|wszyscy/wszystkie nikt/żadne|wyższy
    niższy|wysoki niski|szybszy wolniejszy|szybki wolny|publiczny prywatny|stary nowy|wcześnie późno|wewnątrz
    zewnątrz|bezpłatny/bezpłatne/bezpłatnie płatny/płatne|duży/duże mały/małe|długi krótki|ciepły zimny|mokry suchy|lewy
    prawy|silny słaby|łatwy trudny|tani drogi|pusty pełny|lato/latem zima/zimą wiosna/wiosną jesień/jesienią|rano wieczorem
    nocą|sekunda/sekund minuta/minut/minuty godzina/godzin/godziny dzień/dni tydzień/tygodni/tygodnie miesiąc/miesięcy/miesiące
    rok/lat/lata|codziennie tygodniowo miesięcznie rocznie|poniedziałek wtorek środa czwartek piątek sobota/soboty
    niedziela/niedziele|styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad
    grudzień|północ południe wschód zachód|dorośli dzieci`,
};

/** Groups of a language that a word stands in: which group, and which of its places. */
export type ExclusiveGroup = { readonly group: number; readonly member: number };

const PLACES = new Map<string, ReadonlyMap<string, readonly ExclusiveGroup[]>>();

/** Places of a normalised word, found by the word itself and by its stem; none for a language without a table. */
export function exclusiveGroupsOf(word: string, stem: string, language: string): readonly ExclusiveGroup[] {
  const positions = PLACES.get(language) ?? readGroups(language);
  return positions.get(word) ?? positions.get(`${STEM_MARK}${stem}`) ?? [];
}

const STEM_MARK = '~';

function readGroups(language: string): ReadonlyMap<string, readonly ExclusiveGroup[]> {
  const positions = new Map<string, ExclusiveGroup[]>();
  for (const [group, members] of (GROUPS[language] ?? '').split('|').entries()) {
    for (const [member, spellings] of members.trim().split(/\s+/).entries()) {
      for (const word of spellings.split('/')) addPlace(positions, language, { word, place: { group, member } });
    }
  }
  PLACES.set(language, positions);
  return positions;
}

function addPlace(
  positions: Map<string, ExclusiveGroup[]>,
  language: string,
  { word, place: position }: { readonly word: string; readonly place: ExclusiveGroup },
): void {
  for (const key of [word, `${STEM_MARK}${stemWord(word, language)}`]) {
    const known = positions.get(key) ?? [];
    if (!known.some(({ group, member }) => group === position.group && member === position.member))
      known.push(position);
    positions.set(key, known);
  }
}
