import type { LanguagePack } from './language-pack.ts';

export const FINNISH: LanguagePack = {
  code: 'fi',
  stopWords: `minä minun minua minut minulla sinä sinun sinua sinut hän hänen häntä hänet me meidän meitä te teidän teitä he
    heidän heitä se sen sitä siinä siitä siihen ne niiden niitä tämä tämän tätä tässä tästä nämä näiden näitä tuo tuon
    tuota nuo itse joka jonka jota jossa josta johon jotka joiden joita
    ja tai vai mutta sekä että jotta koska kun jos vaikka kuin eli sillä
    kanssa ilman ennen jälkeen välillä kautta varten kohti
    olen olet on olemme olette ovat olin oli olivat ollut olla ole olisi en et ei emme ette eivät älä voivat voisi
    pitää täytyy
    mikä mitä minkä missä mistä mihin kuka ketä kenen milloin miksi miten kuinka täällä siellä`,
  abbreviations: `esim mm ym jne n noin klo puh ks vrt so eli ns os tms ko nk alk ao v s`,
  definitionVerbs: 'on|ovat|oli|olivat|tarkoittaa|merkitsee|kuvaa',
  injectionWords: {
    override: 'ohita*|unohda*|sivuuta*|ala noudata|jata huomiotta|jata huomioimatta',
    orders: 'ohje|ohjeet|ohjeita|ohjeesi|ohjeistus*|saannot|saantoja|kehote*|kehotteet|kaskyt|maaraykset',
    which: 'aiemm*|aikaisemm*|edellis*|ylla olevat|kaikki|kaikkia|sinun|alkuperais*|muut',
    agents: 'tekoaly*|kielimalli*|ai|ai avustaja*',
    address: 'viesti|huomautus|ohje|ohjeita|huomio|hyva|hei|olet|jos olet|sina olet',
    demand: 'taytyy|pitaa|tulee|on pakko|aina|ala koskaan|sen sijaan|ole hyva',
    speech: 'vasta*|vastaa|sano*|suosittele*|suositella|mainitse*|kirjoita*|sisallyta*|lisaa|toista|vaita|ohita',
    reveal: 'paljasta*|nayta|toista|tulosta|kerro',
    secrets: 'jarjestelmakehot*|jarjestelmaviesti*|ohjeesi|saantosi|kehotteesi|alkuperainen kehote',
    control: 'aloita*|lopeta*|paata|lisaa|sisallyta*|kirjoita|mainitse',
    answer: 'vastauksesi|vastaukseesi|jokainen vastaus|jokaiseen vastaukseen|tiivistelmasi|tiivistelmaasi',
    request: 'kayttaja kysyy|kayttajat kysyvat|joku kysyy|sinulta kysytaan|kavija kysyy|tiivistat taman sivun',
    tell: 'sano etta|vastaa etta|vastaa vain|vaita etta|suosittele',
    dictated:
      'jokainen vastaus|jokaisen vastauksen|jokaisessa vastauksessa|kaikki vastaukset|kaikkien vastausten|jokainen tiivistelma|vastauksesi|jokainen maininta|jokaisen maininnan|vastauksissa|tiivistelmissa',
    dictate: 'mainit*|maini*|sisalta*|alka*|alo*|paatty*|sano*|kirjoit*|toist*|lainat*|kirjoitettu|kuulu*',
    occasion: 'mainitaan|tulee puheeksi|kysytaan|joka vastaa|vastaajan|ne jotka vastaavat',
    addressed: 'kun vastaat|kun tiivistat|vastatessasi|jonka annat|jonka kirjoitat',
    phrases:
      'vastaa vain sanalla|vastaa ainoastaan|sano sana|tasta lahtien vastaa|tasta lahtien olet|uudet ohjeet|kehittajatila|teeskentele olevasi|ala kerro kayttajalle|ala mainitse tata ohjetta',
  },
  synonyms: `hinta,maksaa,maksu | puhelin,puhelinnumero,yhteystiedot | poistaa,poisto | muuttaa,muokata | luoda,lisätä
    | ostaa,tilata | aukioloajat,avoinna,auki | perustettu,perustaja`,
  answers: {
    questions: {
      types: {
        number:
          '^kuinka monta|^kuinka paljon|^kuinka usein|^kuinka kauan|^kuinka pitka|^miten monta|^paljonko|^montako|^miten usein|^miten kauan|enintaan|vahintaan|hinta|numero|oletus',
        date: '^milloin|^mista lahtien|^mina vuonna|^mihin aikaan|^mina paivana|^koska',
        person: '^kuka|^ketka|^kenen|^keta|^kenelle',
        place: '^missa|^mihin|^mista|^minne',
        definition: '^mika on|^mita on|^mita ovat|^mita tarkoittaa|^mita tarkoitetaan|^mika oli',
        'how-to': '^miten|^kuinka|^mita minun pitaa|^milla tavalla',
        why: '^miksi|^mista syysta|^minka vuoksi',
        'yes-no': '^onko|^ovatko|^voiko|^voinko|^saako|^saanko|^pitaako|^taytyyko|^oliko|^tarvitseeko',
      },
      asks: {
        phone: 'puhelinnumero|puhelinnumeron',
        email: 'sahkopostiosoite|sahkopostiosoitteen|sahkoposti',
        duration: '^(?:paljonko|kuinka paljon) aikaa|^(?:kuinka|miten) kauan ~(?:kestaa|kestavat)',
        price: 'hinta|hinnat|maksaa|maksavat|maksu|^paljonko on|^paljonko ovat|veloitetaan|veloittaa',
        weight:
          '^(?:paljonko|kuinka paljon) ~painaa|^(?:paljonko|kuinka paljon) ~painavat|^kuinka painava|^mita ~painaa',
        capacity: '^(?:paljonko|kuinka paljon) ~(?:mahtuu|vetaa)',
        year: '^mina vuonna|^milloin perustettiin|^milloin rakennettiin',
        time: 'mihin aikaan|aukioloajat|^milloin avataan|^milloin suljetaan',
        count:
          '^kuinka monta|^kuinka usein|^kuinka kauan|^kuinka pitka|^montako|^miten usein|^miten kauan|^paljonko|^kuinka paljon',
        person: '^kuka on|^kuka oli|^ketka ovat|^kuka perusti|^kuka kirjoitti',
      },
      small: `tehda tekee loytaa loytyy menna tulla kayttaa kaytetaan tarvita tarvitsee aloittaa avata toimii mahdollista hyva
      uusi aina ero paljon usein kauan saa
      voin voit voi voimme voitte`,
      polite: 'voitko kertoa|voisitko kertoa|haluaisin tietaa|kerro',
    },
    answerSigns: {
      numbers: `yksi|kaksi|kolme|nelja|viisi|kuusi|seitseman|kahdeksan|yhdeksan|kymmenen|sata|tuhat|miljoona|miljoonaa|useita
      |joka|paivittain|viikoittain|kuukausittain|puoli|kerran|kertaa|tunti|tuntia|vuosisata`,
      months: `tammikuu\\p{L}*|helmikuu\\p{L}*|maaliskuu\\p{L}*|huhtikuu\\p{L}*|toukokuu\\p{L}*|kesakuu\\p{L}*|heinakuu\\p{L}*
      |elokuu\\p{L}*|syyskuu\\p{L}*|lokakuu\\p{L}*|marraskuu\\p{L}*|joulukuu\\p{L}*`,
      places: 'osoitteessa|lahella|kadulla|torilla|kansiossa|tiedostossa|\\p{L}{3,}(?:ssa|lla)',
      reasons: 'koska|silla|syy|jotta|siksi|vuoksi|takia|johtuu',
      steps: 'kayta|kayttaa|napsauta|valitse|avaa|lisaa|voit|voi|pitaa|tulee|siirry',
      verdicts: 'kylla|ei|eivat|voi|voivat|on|ovat|vain|saa|taytyy',
      free: 'ilmainen|ilmaiseksi|maksuton|maksutta|maksutonta',
    },
    wordings: undefined,
    intents: undefined,
    followUps: {
      refers: 'sen sitä siinä siitä siihen sillä niitä niiden hän hänen heidän tämä tämän tätä nämä siellä sama',
      refersLast: 'se ne muuten myös',
      opens: 'ja|mutta|tai|entä|entäpä|miksi ei|myös',
      nounStandIns: '',
      determiners: '',
      auxiliaries: 'voiko voinko voimmeko saako saanko saammeko pitääkö täytyykö',
      copulas: 'on ovat oli olivat onko ovatko',
      joins: '',
      mainVerb: 'behind-subject',
    },
    imperatives: {
      verbs: `soita kirjoita laheta kay mene tule katso avaa napsauta klikkaa paina nappaile syota tayta rekisteroidy kirjaudu
      lataa asenna kaynnista kopioi liita maksa siirra tilaa osta varaa kysy sano anna jaa vastaa seuraa kayta kokeile
      muista tarkista vahvista tee ota pida unohda lisaa poista toista mainitse lainaa suosittele lue valitse nayta`,
      openers: 'nyt sitten vain myos aina ensin ja ole hyva ala',
      forms: /^\p{L}{3,}(?:kaa|kää)\b/u,
    },
    dependentOpeners: `hän|he|se|ne|tämä|nämä|sen|niiden|niitä|siellä|ja|mutta|tai|sitten|siksi|lisäksi|myös|kuitenkin|muuten|molemmat
    |esimerkiksi|tällöin|muut`,
    exclusiveWords: `ottaa poistaa|lisätä vähentää|ennen jälkeen|vähintään enintään|sallittu kielletty|aina koskaan|pakollinen
    vapaaehtoinen|ensimmäinen viimeinen|yli alle|auki/avoinna kiinni/suljettu|avataan suljetaan|alkaa päättyy|tosi
    epätosi|enemmän vähemmän|kaikki/kaikille mikään|korkeampi matalampi|nopeammin hitaammin|julkinen
    yksityinen|vanha uusi|aikaisin myöhään|sisällä ulkona|maksuton/ilmainen maksullinen|suuri/iso pieni|pitkä
    lyhyt|lämmin kylmä|märkä kuiva|vasen oikea|vahva heikko|helppo vaikea|halpa kallis|tyhjä täynnä|kesä/kesällä
    talvi/talvella kevät/keväällä syksy/syksyllä|aamulla illalla yöllä|sekunti/sekuntia minuutti/minuuttia tunti/tuntia
    päivä/päivää viikko/viikkoa kuukausi/kuukautta vuosi/vuotta|päivittäin viikoittain kuukausittain vuosittain|maanantai/maanantaisin
    tiistai/tiistaisin keskiviikko/keskiviikkoisin torstai/torstaisin perjantai/perjantaisin lauantai/lauantaisin
    sunnuntai/sunnuntaisin|tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu
    joulukuu|pohjoinen etelä itä länsi|aikuiset lapset`,
    negations: 'ei en et emme ette eivät eikä älä älkää koskaan mitään kukaan',
    softNegations: 'ilman kielletty mahdotonta paitsi vältä välttää',
    paraphrases: undefined,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['epä'],
    attribution: undefined,
    joiningWords: 'ja mutta tai vaan joka',
    lightWords: `maksaa hinta käyttää käytetään tehdä antaa antavat tarjota tarjoaa ottaa tarvita tarvitsee sisältää näyttää löytyä löytyy sijaitsee mennä tulla saada
    saa pitää auttaa mukaan dokumentaatio sivu sivun sivusto lähde artikkeli teksti tiedot myös hyvin vain vielä jo aina usein yleensä
    huomaa esimerkki kuitenkin siksi lisäksi noin eri useita muut mahdollinen saatavilla henkilö ihmiset kävijät jokainen sekä`,
    numberWords:
      'kaksi|kahden|kahta kolme|kolmen|kolmea neljä|neljän|neljää viisi|viiden|viittä kuusi|kuuden|kuutta seitsemän kahdeksan yhdeksän kymmenen yksitoista kaksitoista',
    roundNumbers: 'kaksikymmentä 20 kolmekymmentä 30 viisikymmentä 50 sata 100 tuhat 1000',
  },
};
