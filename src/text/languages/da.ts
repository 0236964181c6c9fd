import type { LanguagePack } from './language-pack.ts';

export const DANISH: LanguagePack = {
  code: 'da',
  stopWords: `en et den det de denne dette disse der her jeg mig min mit mine du dig din dit dine han ham hans hun hende hendes
    sin sit sine vi os vores i jer jeres dem deres sig man selv
    og eller men for fordi at hvis da når end som om mens så også
    på med til fra af ved under over efter før mod mellem uden gennem hos ad
    er var være været bliver blev blive blevet har havde haft kan kunne skal skulle vil ville må måtte bør
    hvad hvem hvor hvornår hvorfor hvordan hvilken hvilket hvilke ikke ej`,
  abbreviations: `bl.a dvs f.eks fx kl kr osv ca evt nr tlf inkl ekskl mht mv m.m m.v pga ift jf stk maks hhv frk vedr ift`,
  definitionVerbs: 'er|var|betyder|står for|henviser til|beskriver|betegner',
  injectionWords: {
    override: 'ignorer*|glem|glemme|se bort fra|tilsidesaet*|folg ikke|overskriv*|omga',
    orders: 'instruktion*|instruks*|anvisning*|regler|retningslinjer|prompt|prompts|systemprompt|ordrer|vejledning*',
    which: 'tidligere|forrige|foregaende|ovenstaende|alle|dine|din|oprindelige|andre|ovrige',
    agents: 'ai|kunstig intelligens|sprogmodel*|ai assistent*|ai model*|ai agent*',
    address:
      'besked til|note til|meddelelse til|instruktion til|instruktioner til|instruks til|bemaerkning til|opmaerksomhed|kaere|hej|du er en|hvis du er en',
    demand: 'skal|bor|altid|aldrig|venligst|i stedet',
    speech: 'svar*|sig|sige|anbefal*|naevn*|skriv*|inkluder*|tilfoj*|gentag*|pasta|ignorer*|oplys*',
    reveal: 'afslor*|vis|gentag*|udskriv*|rob|udlever*',
    secrets:
      'systemprompt|system prompt|dine instruktioner|dine instrukser|din prompt|systembesked|oprindelige prompt|dine regler',
    control: 'begynd|start|slut|afslut|tilfoj|inkluder|skriv|naevn|indsaet',
    answer: 'dit svar|dine svar|ethvert svar|hvert svar|dit resume|din opsummering',
    request:
      'bruger sporger|brugeren sporger|brugere sporger|nogen sporger|besogende sporger|du bliver spurgt|opsummerer denne side',
    tell: 'sig at|svar at|svar med|svar kun|pasta at|sig kun',
    dictated:
      'ethvert svar|hvert svar|alle svar|enhver opsummering|hvert resume|dit svar|enhver omtale|hver omtale|ethvert referat|i svar|i alle svar',
    dictate: 'naevn*|indehold*|begynd*|start*|slut*|afslut*|sig|sige|skriv*|citer*|gentag*|abn*|skrevet|lyde*',
    occasion: 'bliver naevnt|naevnes|bliver spurgt om|sporges om|den der svarer|hvem der svarer|opsummerer',
    addressed: 'du svarer|du opsummerer|du gengiver|som du giver|du er ved at skrive',
    phrases:
      'svar kun med|svar udelukkende|sig ordet|fra nu af svar|fra nu af skal du|fra nu af er du|nye instruktioner|nye instrukser|udviklertilstand|lad som om du|fortael ikke brugeren|naevn ikke denne instruktion',
  },
  synonyms: `pris,koster,gebyr,takst | telefon,kontakt | slette,fjerne | ændre,redigere | oprette,tilføje | købe,bestille
    | åbningstider,åben,åbent | grundlagt,stiftet,grundlægger | tilskud,støtte | job,stilling`,
  answers: {
    questions: {
      types: {
        number:
          '^hvor mange|^hvor meget|^hvor ofte|^hvor laenge|^hvor langt|^hvor hoj|^hvor stor|^hvor gammel|^hvor hurtigt|hojst|mindst|pris|antal|nummer|standard',
        date: '^hvornar|^siden hvornar|^hvilket ar|^i hvilket ar|^hvad tid|^hvilken dato|^hvilken dag',
        person: '^hvem|^hvis|^af hvem',
        place: '^hvor|^hvorhen|^hvorfra',
        definition: '^hvad er|^hvad var|^hvad betyder|^hvad vil det sige|^hvad menes|^hvad gor',
        'how-to': '^hvordan|^hvad skal jeg gore|^hvilke trin',
        why: '^hvorfor|^af hvilken grund|^hvad er grunden',
        'yes-no': '^er|^kan|^ma|^skal|^har|^far|^bliver|^vil|^findes|^var|^er der|^behover',
      },
      asks: {
        phone: 'telefonnummer|telefonnummeret|faxnummer',
        email: 'e-mailadresse|mailadresse|emailadresse|e-mail-adresse',
        duration: '^hvor meget tid|^hvor laenge (?:holder|varer)|^hvor lang tid',
        price: 'pris|prisen|priser|koster|koste|gebyr|takst|takster|^hvor meget ~betaler?|^hvor meget betaler',
        weight: '^hvor meget vejer|^hvor tung|^hvor tungt|^hvad vejer',
        capacity: '^hvor meget (?:rummer|indeholder)',
        year: '^hvilket ar|^i hvilket ar|^hvornar blev|^hvornar var',
        time: 'hvad tid|abningstider|abningstid|^hvornar abner|^hvornar lukker|^hvornar har',
        count: '^hvor mange|^hvor ofte|^hvor laenge|^hvor langt|^hvor hoj|^hvor gammel|^hvor stor|^hvor meget bruger',
        person: '^hvem er|^hvem var|^hvem har|^hvem grundlagde|^hvem skrev|^hvem stiftede',
      },
      small: `gore gor finde finder ga komme bruge bruger bruges behover starte abne virker mulig muligt god ny altid slags
      forskel meget mange laenge ofte findes venligst fa far`,
      polite: 'venligst|kan du fortaelle mig|kan du sige mig|jeg vil gerne vide|fortael mig',
    },
    answerSigns: {
      numbers: `en|et|to|tre|fire|fem|seks|syv|otte|ni|ti|elleve|tolv|tyve|hundrede|tusind|million|millioner|flere|dusin
      |ingen|hver|dagligt|ugentligt|manedligt|halv|gang|gange|time|arhundrede`,
      months: 'januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december|arhundrede',
      places: 'i|pa|ved|fra|til|under|naer|vej|gade|plads|mappe|fil',
      reasons: 'fordi|da|grund|sa|derfor|pa grund af|skyldes|for at|saledes',
      steps: 'brug|bruge|klik|klikke|vaelg|vaelge|abn|abne|tilfoj|kan|skal|bor|ga til',
      verdicts: 'ja|nej|ikke|kan|er|kun|ma|skal|ingen',
      free: 'gratis|uden beregning',
    },
    wordings: undefined,
    intents: undefined,
    followUps: {
      refers: 'dem han hun ham hende dens dets deres denne dette disse dertil samme bagefter',
      refersLast: 'den det de der ellers også',
      opens: 'og|men|eller|så|også|hvad med|hvorfor ikke',
      nounStandIns: '',
      determiners: 'en et den det de min mit mine din dit dine vores jeres denne dette',
      auxiliaries: 'kan må skal vil bliver blev har',
      copulas: 'er var',
      joins: 'af',
      mainVerb: 'behind-subject',
    },
    imperatives: {
      verbs: `ring skriv send besog ga kom se kig abn klik tryk tast indtast udfyld tilmeld log hent installer start kopier
      indsaet betal overfor bestil kob book sporg sig giv del svar folg brug prov husk tjek bekraeft gor tag behold
      ignorer glem tilfoj fjern slet gentag naevn citer anbefal laes vaelg vis kontakt`,
      openers: 'nu sa bare ogsa altid aldrig forst derefter og venligst',
    },
    dependentOpeners: `han|hun|de|dette|denne|disse|deres|dens|dets|og|men|eller|så|derefter|derfor|desuden|også|dog|ellers|begge|for
    eksempel|i så fald|andre`,
    exclusiveWords: `aktivere deaktivere|øge mindske/nedsætte/sænke|før efter|mindst højst|minimum maksimum|tilladt/lovligt forbudt/ulovligt|altid
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
    negations: 'ikke ingen intet aldrig hverken ej ingenting',
    softNegations: 'uden forbudt umuligt undtagen undgå udelukket medmindre',
    paraphrases: undefined,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['u', 'ikke'],
    attribution: 'ifølge',
    joiningWords: 'og men eller mens fordi som',
    lightWords: `koste koster pris betale betaler bruge benytte anvende lave gøre lade tilbyde tilbyder give giver tage tager behøve indeholde indeholder vise viser finde
    finder findes ligger gå komme få får modtage modtager holde hjælpe ifølge følge dokumentation side siden hjemmeside kilde artikel tekst information
    oplysninger også meget kun endnu allerede altid ofte normalt venligst bemærk eksempel dog derfor desuden cirka omkring forskellige flere
    andre mulig muligt tilgængelig person personer folk borger borgere hver hvert samt sker foregår`,
    numberWords:
      'to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tyve',
    roundNumbers: 'tredive 30 fyrre 40 halvtreds 50 tres 60 halvfjerds 70 firs 80 halvfems 90 hundrede 100 tusind 1000',
  },
};
