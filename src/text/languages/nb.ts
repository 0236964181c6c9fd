import type { LanguagePack } from './language-pack.ts';

export const NORWEGIAN: LanguagePack = {
  code: 'nb',
  stopWords: `en ei et den det de denne dette disse her der jeg meg min mi mitt mine du deg din di ditt dine han ham hans hun
    henne hennes sin si sitt sine vi oss vår vårt våre dere deres dem seg man selv eg ein eit ikkje
    og eller men for fordi at hvis da når enn som om mens så
    i på med til fra av ved under over etter før mot mellom uten gjennom hos ut
    er var være vært blir ble bli blitt har hadde ha hatt kan kunne skal skulle vil ville må måtte bør
    hva hvem hvor hvorfor hvordan hvilken hvilket hvilke kva kven ikke`,
  abbreviations: `bl.a dvs f.eks kl kr osv ca evt nr tlf inkl ekskl m.m m.v pga jf stk maks hhv ifm iht mht`,
  definitionVerbs: 'er|var|betyr|står for|viser til|beskriver|betegner|innebærer',
  injectionWords: {
    override: 'ignorer*|glem|glemme|se bort fra|folg ikke|ikke folg|overstyr*|omga',
    orders: 'instruksjon*|instruks*|anvisning*|regler|reglene|retningslinjer|prompt|systemprompt|ordre',
    which: 'tidligere|forrige|foregaende|ovenstaende|alle|dine|din|opprinnelige|andre|ovrige',
    agents: 'ai|ki|kunstig intelligens|sprakmodell*|ai assistent*|ki assistent*|ai modell*|ki modell*',
    address:
      'melding til|beskjed til|merknad til|instruksjon til|instruksjoner til|instruks til|obs|kjaere|hei|du er en|hvis du er en',
    demand: 'ma|skal|bor|alltid|aldri|vennligst|i stedet',
    speech: 'svar*|si|sier|anbefal*|nevn*|skriv*|inkluder*|legg|gjenta*|pasta|ignorer*|oppgi',
    reveal: 'avslor*|vis|gjenta*|skriv ut|rop|utlever*',
    secrets:
      'systemprompt|system prompt|dine instruksjoner|instruksjonene dine|din prompt|systemmelding*|opprinnelige prompt|dine regler',
    control: 'begynn|start|avslutt|inkluder|legg til|skriv|nevn|sett inn',
    answer: 'ditt svar|svaret ditt|dine svar|svarene dine|hvert svar|ditt sammendrag|sammendraget ditt',
    request: 'bruker spor|brukeren spor|brukere spor|noen spor|besokende spor|du blir spurt|oppsummerer denne siden',
    tell: 'si at|svar at|svar med|svar kun|svar bare|pasta at',
    dictated:
      'ethvert svar|hvert svar|alle svar|ethvert sammendrag|hvert sammendrag|svaret ditt|enhver omtale|hver omtale|ethvert referat|i svar|i alle svar',
    dictate: 'nevn*|innehold*|begynn*|start*|slutt*|avslutt*|si|sier|skriv*|siter*|gjenta*|skrevet|lyde*',
    occasion: 'blir nevnt|nevnes|blir spurt om|sporres om|den som svarer|de som svarer|oppsummerer',
    addressed: 'du svarer|du oppsummerer|som du gir|du snart skriver',
    phrases:
      'svar kun med|svar bare med|si ordet|fra na av svar|fra na av skal du|fra na av er du|nye instruksjoner|nye instrukser|utviklermodus|lat som om du|lat som du|ikke fortell brukeren|ikke nevn denne instruksjonen',
  },
  synonyms: `pris,koster,kostnad,gebyr | telefon,kontakt | slette,fjerne | endre,redigere | opprette,legge til
    | kjøpe,bestille | åpningstider,åpent,åpen | grunnlagt,stiftet,grunnlegger | jobb,stilling`,
  answers: {
    questions: {
      types: {
        number:
          '^hvor mange|^hvor mye|^hvor ofte|^hvor lenge|^hvor langt|^hvor hoy|^hvor stor|^hvor gammel|^hvor raskt|hoyst|minst|pris|antall|nummer|standard',
        date: '^nar|^siden nar|^hvilket ar|^i hvilket ar|^hvilken tid|^hvilken dato|^hvilken dag',
        person: '^hvem|^av hvem|^hvilke personer',
        place: '^hvor|^hvorfra|^hvorhen',
        definition: '^hva er|^hva var|^hva betyr|^hva vil det si|^hva menes|^hva gjor',
        'how-to': '^hvordan|^hva ma jeg gjore|^hva skal jeg gjore|^hvilke trinn',
        why: '^hvorfor|^av hvilken grunn|^hva er grunnen',
        'yes-no': '^er|^kan|^ma|^skal|^har|^far|^blir|^vil|^finnes|^var|^er det|^trenger',
      },
      asks: {
        phone: 'telefonnummer|telefonnummeret|faksnummer',
        email: 'e-postadresse|e-postadressen|epostadresse|mailadresse',
        duration: '^hvor mye tid|^hvor lenge (?:varer|holder)|^hvor lang tid',
        price: 'pris|prisen|priser|koster|koste|gebyr|avgift|^hvor mye ~betaler?|^hvor mye betaler',
        weight: '^hvor mye veier|^hvor tung|^hvor tungt|^hva veier',
        capacity: '^hvor mye (?:rommer|inneholder)',
        year: '^hvilket ar|^i hvilket ar|^nar ble|^nar var',
        time: 'hvilken tid|apningstider|apningstid|^nar apner|^nar stenger',
        count: '^hvor mange|^hvor ofte|^hvor lenge|^hvor langt|^hvor hoy|^hvor gammel|^hvor stor|^hvor mye bruker',
        person: '^hvem er|^hvem var|^hvem har|^hvem grunnla|^hvem skrev|^hvem stiftet',
      },
      small: `gjore gjor finne finner ga komme bruke bruker brukes trenger starte apne virker mulig god ny alltid slags
      forskjell mye mange lenge ofte finnes vennligst fa far`,
      polite: 'vennligst|kan du fortelle meg|kan du si meg|jeg vil gjerne vite|fortell meg',
    },
    answerSigns: {
      numbers: `en|ei|et|to|tre|fire|fem|seks|sju|syv|atte|ni|ti|elleve|tolv|tjue|hundre|tusen|million|millioner|flere|dusin
      |ingen|hver|daglig|ukentlig|manedlig|halv|gang|ganger|time|arhundre`,
      months: 'januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember|arhundre',
      places: 'i|pa|ved|fra|til|under|naer|vei|gate|plass|mappe|fil',
      reasons: 'fordi|siden|grunn|slik at|derfor|pa grunn av|skyldes|for a',
      steps: 'bruk|bruke|klikk|klikke|velg|velge|apne|legg til|kan|skal|bor|ma|ga til',
      verdicts: 'ja|nei|ikke|kan|er|bare|kun|ma|skal|ingen',
      free: 'gratis|kostnadsfritt|vederlagsfritt',
    },
    wordings: undefined,
    intents: undefined,
    followUps: {
      refers: 'dem han hun ham henne dens dets deres denne dette disse samme etterpå',
      refersLast: 'den det de der ellers også',
      opens: 'og|men|eller|så|også|hva med|hvorfor ikke',
      nounStandIns: '',
      determiners: 'en ei et den det de min mitt mine din ditt dine vår vårt våre denne dette',
      auxiliaries: 'kan får må skal vil blir ble har',
      copulas: 'er var',
      joins: 'av',
      mainVerb: 'behind-subject',
    },
    imperatives: {
      verbs: `ring skriv send besok ga kom se apne klikk trykk tast fyll registrer logg last installer start kopier
      lim betal overfor bestill kjop spor si gi del svar folg bruk prov husk sjekk bekreft gjor ta behold ignorer glem
      legg fjern slett gjenta nevn siter anbefal les velg vis kontakt`,
      openers: 'na sa bare ogsa alltid aldri forst deretter og vennligst',
    },
    dependentOpeners: `han|hun|de|dette|denne|disse|deres|dens|dets|og|men|eller|så|deretter|derfor|dessuten|også|likevel|ellers|begge|for
    eksempel|i så fall|andre`,
    exclusiveWords: `aktivere deaktivere|øke redusere/minske|før etter|minst høyst/maks|tillatt forbudt|alltid aldri|obligatorisk
    frivillig|første siste|over under|åpen/åpent/åpne stengt/stengte|åpner stenger|begynner/starter slutter|legge
    fjerne|sant usant|mer mindre|flere færre|alle ingen/noen|høyere lavere|høy lav|raskere langsommere|rask
    langsom|offentlig privat|eldre yngre|gammel/gamle ny/nye|tidlig sen/sent|tidligere senere|inne ute|gratis
    betalt|inkludert ekskludert|stor/store liten/små|større mindre|lang/lange kort/korte|varm kald|våt tørr|venstre
    høyre|sterk svak|lett vanskelig|billig dyr|tom full|sommer/sommeren vinter/vinteren vår/våren høst/høsten|morgen
    formiddag ettermiddag kveld natt|sekund/sekunder minutt/minutter time/timer dag/dager uke/uker måned/måneder
    år/års|daglig ukentlig månedlig årlig|mandag/mandager tirsdag/tirsdager onsdag/onsdager torsdag/torsdager
    fredag/fredager lørdag/lørdager søndag/søndager|hverdager helger|januar februar mars april mai juni juli august
    september oktober november desember|nord sør øst vest|med uten|voksne barn|mulig umulig|gyldig ugyldig`,
    negations: 'ikke ingen intet aldri verken hverken ei ingenting',
    softNegations: 'uten forbudt umulig unntatt unngå utelukket',
    paraphrases: undefined,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['u', 'ikke'],
    attribution: 'ifølge',
    joiningWords: 'og men eller mens fordi som',
    lightWords: `koste koster pris betale betaler bruke benytte gjøre lage la tilby tilbyr gi gir ta tar trenge trenger inneholde inneholder vise viser finne finner finnes
    ligger gå komme få får holde hjelpe ifølge følge dokumentasjon side siden nettside kilde artikkel tekst informasjon også svært veldig bare kun ennå
    allerede alltid ofte vanligvis vennligst merk eksempel likevel derfor dessuten cirka omtrent ulike flere andre mulig
    tilgjengelig person personer folk besøkende hver samt`,
    numberWords:
      'to tre fire fem seks sju|syv åtte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tjue|tyve',
    roundNumbers: 'tretti 30 førti 40 femti 50 seksti 60 sytti 70 åtti 80 nitti 90 hundre 100 tusen 1000',
  },
};
