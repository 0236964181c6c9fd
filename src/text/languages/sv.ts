import type { LanguagePack } from './language-pack.ts';

export const SWEDISH: LanguagePack = {
  code: 'sv',
  stopWords: `en ett den det de denna detta dessa här där jag mig min mitt mina du dig din ditt dina han honom hans hon henne
    hennes sin sitt sina vi oss vår vårt våra ni er ert era dem deras sig man själv
    och eller men för ty att om när än som medan så eftersom
    i på med till från av vid under över efter före mot mellan utan genom hos ur åt
    är var vara varit blir blev bli blivit har hade ha haft kan kunde ska skall skulle vill ville må måste bör
    vad vem vems vilka vilken vilket varför hur inte ej`,
  abbreviations: `bl.a dvs t.ex kl kr osv ca ev nr tel inkl exkl m.m m.fl s.k fr.o.m t.o.m resp st jfr`,
  definitionVerbs: 'är|var|betyder|står för|avser|beskriver|betecknar|innebär',
  injectionWords: {
    override: 'ignorera*|glom|glomma|bortse fran|folj inte|asidosatt*|strunta i|kringga',
    orders: 'instruktion*|anvisning*|regler|reglerna|riktlinjer*|prompt|prompten|systemprompt*|order',
    which: 'tidigare|foregaende|ovanstaende|alla|dina|din|ursprungliga|andra|ovriga',
    agents: 'ai|artificiell intelligens|sprakmodell*|ai assistent*|ai modell*|ai agent*',
    address:
      'meddelande till|notering till|not till|instruktion till|instruktioner till|instruktioner for|observera|kara|basta|hej|du ar en|om du ar en',
    demand: 'maste|ska|skall|bor|alltid|aldrig|snalla|i stallet|istallet',
    speech: 'svara*|sag|saga|sager|rekommendera*|namn*|skriv*|inkludera*|lagg|upprepa*|pasta|ignorera*',
    reveal: 'avsloja*|visa|upprepa*|skriv ut|roj|lamna ut',
    secrets:
      'systemprompt*|system prompt|dina instruktioner|din prompt|systemmeddelande*|ursprungliga prompten|dina regler',
    control: 'borja|avsluta|inkludera|lagg till|skriv|namn|infoga|starta',
    answer: 'ditt svar|dina svar|varje svar|din sammanfattning',
    request:
      'anvandare fragar|anvandaren fragar|nagon fragar|besokare fragar|du blir tillfragad|sammanfattar denna sida|sammanfattar sidan',
    tell: 'sag att|svara att|svara med|svara bara|svara endast|pasta att',
    dictated: 'varje svar|alla svar|varje sammanfattning|ditt svar|varje omnamnande|varje referat|i svar|i alla svar',
    dictate: 'namn*|innehall*|borja*|inled*|avslut*|slut*|saga|sag|skriv*|citer*|upprepa*|skriven|skrivet|lyd*',
    occasion: 'namns|tas upp|blir tillfragad|fragas om|den som svarar|de som svarar|sammanfattar',
    addressed: 'du svarar|du sammanfattar|som du ger|du snart skriver',
    phrases:
      'svara endast med|svara bara med|sag ordet|fran och med nu svara|fran och med nu ska du|fran och med nu ar du|nya instruktioner|utvecklarlage|lat som om du|latsas att du|beratta inte for anvandaren|namn inte denna instruktion',
  },
  synonyms: `pris,kostar,kostnad,avgift | telefon,kontakt | radera,ta bort | ändra,redigera | skapa,lägga till
    | köpa,beställa | öppettider,öppet,öppen | grundad,grundades,grundare | jobb,tjänst`,
  answers: {
    questions: {
      types: {
        number:
          '^hur manga|^hur mycket|^hur ofta|^hur lange|^hur langt|^hur hog|^hur stor|^hur gammal|^hur snabbt|hogst|minst|pris|antal|nummer|standard',
        date: '^nar|^sedan nar|^vilket ar|^i vilket ar|^vilken tid|^hur dags|^vilket datum|^vilken dag',
        person: '^vem|^vilka|^vems|^av vem',
        place: '^var|^vart|^varifran',
        definition: '^vad ar|^vad var|^vad betyder|^vad innebar|^vad menas|^vad gor',
        'how-to': '^hur|^vad ska jag gora|^vilka steg',
        why: '^varfor|^av vilken anledning|^vad beror',
        'yes-no': '^ar|^kan|^far|^ska|^maste|^har|^finns|^blir|^behover|^gar det|^bor',
      },
      asks: {
        phone: 'telefonnummer|telefonnumret|faxnummer',
        email: 'e-postadress|mejladress|e-postadressen|mailadress',
        duration: '^hur mycket tid|^hur lange (?:racker|varar|haller)|^hur lang tid',
        price: 'pris|priset|priser|kostar|kosta|avgift|avgiften|avgifter|^hur mycket ~betalar?|^hur mycket betalar',
        weight: '^hur mycket vager|^hur tung|^hur tungt|^vad vager',
        capacity: '^hur mycket (?:rymmer|innehaller)',
        year: '^vilket ar|^i vilket ar|^nar blev|^nar var|^nar grundades',
        time: 'vilken tid|hur dags|oppettider|^nar oppnar|^nar stanger',
        count:
          '^hur manga|^hur ofta|^hur lange|^hur langt|^hur hog|^hur gammal|^hur stor|^hur mycket (?:anvander|forbrukar|drar)',
        person: '^vem ar|^vem var|^vem har|^vem grundade|^vem skrev',
      },
      small: `gora gor hitta hittar ga komma anvanda anvander anvands behover borja oppna fungerar mojligt bra ny alltid slags
      sort skillnad mycket manga lange ofta finns snalla fa far`,
      polite: 'snalla|kan du beratta|kan du saga|jag vill veta|beratta',
    },
    answerSigns: {
      numbers: `en|ett|tva|tre|fyra|fem|sex|sju|atta|nio|tio|elva|tolv|tjugo|hundra|tusen|miljon|miljoner|flera|dussin
      |ingen|inga|varje|dagligen|veckovis|halv|gang|ganger|timme|arhundrade`,
      months: 'januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december|arhundrade',
      places: 'i|pa|vid|fran|till|under|nara|vag|gata|torg|mapp|fil',
      reasons: 'eftersom|darfor att|for att|anledning|darfor|pa grund av|beror|sa att',
      steps: 'anvand|anvanda|klicka|valj|valja|oppna|lagg till|kan|ska|bor|maste|ga till',
      verdicts: 'ja|nej|inte|kan|ar|endast|bara|far|ska|maste|ingen',
      free: 'gratis|kostnadsfri|kostnadsfritt|avgiftsfri|avgiftsfritt',
    },
    wordings: undefined,
    intents: undefined,
    followUps: {
      refers: 'dem han hon honom henne dess deras denna detta dessa samma efteråt',
      refersLast: 'den det de där annars också',
      opens: 'och|men|eller|så|också|hur är det med|vad gäller för|varför inte',
      nounStandIns: '',
      determiners: 'en ett den det de min mitt mina din ditt dina vår vårt våra er ert denna detta',
      auxiliaries: 'kan får måste ska vill blir blev har',
      copulas: 'är var',
      joins: 'av',
      mainVerb: 'behind-subject',
    },
    imperatives: {
      verbs: `ring skriv skicka besok ga kom se titta oppna klicka tryck ange fyll registrera logga ladda installera starta
      kopiera klistra betala overfor bestall kop boka fraga sag ge dela svara folj anvand prova kolla bekrafta gor ta
      behall ignorera glom lagg ta radera upprepa namn citera rekommendera las valj visa kontakta`,
      openers: 'nu sa bara ocksa alltid aldrig forst sedan och vanligen',
    },
    dependentOpeners: `han|hon|de|detta|denna|dessa|deras|dess|och|men|eller|så|sedan|därefter|därför|dessutom|också|dock|annars|båda|till
    exempel|i så fall|andra`,
    exclusiveWords: `aktivera inaktivera|öka minska|före efter|minst högst|minimum maximum|tillåtet/tillåten förbjudet/förbjuden|alltid
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
    negations: 'inte ingen inget inga aldrig varken ej ingenting',
    softNegations: 'utan förbjudet omöjligt förutom undvik undvika uteslutet såvida',
    paraphrases: undefined,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['o', 'icke'],
    attribution: 'enligt',
    joiningWords: 'och men eller medan som',
    lightWords: `kosta kostar pris betala betalar använda göra låta erbjuda erbjuder ge ger ta tar behöva behöver innehålla innehåller visa visar finna hitta finns ligger gå komma få
    får hålla hjälpa enligt dokumentation sida sidan webbplats källa artikel text information också även mycket bara endast ännu redan
    alltid ofta vanligtvis vänligen notera exempel dock därför dessutom cirka ungefär olika flera andra möjlig tillgänglig person
    personer folk besökare varje samt`,
    numberWords:
      'två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo',
    roundNumbers: 'trettio 30 fyrtio 40 femtio 50 sextio 60 sjuttio 70 åttio 80 nittio 90 hundra 100 tusen 1000',
  },
};
