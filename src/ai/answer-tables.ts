/** Words that sentences answer certain questions with, separated by `|`, in lower case without accents. */
export type AnswerTable = {
  readonly numbers: string;
  readonly months: string;
  readonly places: string;
  readonly reasons: string;
  readonly steps: string;
  readonly verdicts: string;
  readonly free: string;
};

export const ANSWER_TABLES: Readonly<Record<string, AnswerTable>> = {
  en: {
    numbers: `one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand
      |million|billion|several|dozen|no|every|daily|weekly|monthly|half|few|once|twice|hour|century|decade|decades`,
    months: 'january|february|march|april|may|june|july|august|september|october|november|december|century',
    places: 'in|at|on|from|to|under|near|directory|folder|file|path|street|square',
    reasons:
      'because|since|due to|reason|so that|in order|therefore|to avoid|to prevent|to protect|to allow|caused|as a result',
    steps: 'use|run|set|click|select|open|add|remove|can|should|must|to|choose|enter|press|go to',
    verdicts: 'yes|no|not|can|cannot|supports?|is|are|only|may|must',
    free: 'free|free of charge|no charge',
  },
  de: {
    numbers: `ein|eine|einen|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|zwanzig|hundert|tausend|million|millionen
      |mehrere|dutzend|kein|keine|jede|jeden|taglich|wochentlich|monatlich|halb|einmal|zweimal|stunde|jahrhundert`,
    months: 'januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember|jahrhundert',
    places: 'in|im|an|am|auf|bei|beim|aus|unter|neben|strasse|platz|ordner|verzeichnis|datei',
    reasons: 'weil|da|denn|grund|damit|deshalb|daher|wegen|aufgrund|um zu|dadurch|sodass',
    steps: 'verwenden|nutzen|klicken|wahlen|offnen|hinzufugen|entfernen|konnen|kann|sollte|muss|mussen|geben|gehen',
    verdicts: 'ja|nein|nicht|kein|keine|kann|konnen|ist|sind|nur|darf|durfen|muss|mussen',
    free: 'kostenlos|kostenfrei|gratis|unentgeltlich|gebuhrenfrei',
  },
  fr: {
    numbers: `un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|vingt|cent|cents|mille|million|millions
      |plusieurs|aucun|aucune|chaque|quotidien|hebdomadaire|mensuel|demi|fois|heure|siecle`,
    months: 'janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre|siecle',
    places: 'a|au|aux|dans|en|sur|sous|pres|rue|place|dossier|repertoire|fichier',
    reasons: 'parce que|car|puisque|raison|afin|pour que|donc|en raison|grace a|a cause',
    steps:
      'utiliser|utilisez|cliquer|cliquez|selectionner|selectionnez|ouvrir|ouvrez|ajouter|peut|pouvez|doit|devez|faut',
    verdicts: 'oui|non|ne|pas|peut|peuvent|est|sont|seulement|uniquement|doit|doivent',
    free: 'gratuit|gratuite|gratuits|gratuitement|sans frais',
  },
  es: {
    numbers: `un|una|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|cien|cientos|mil|millon|millones
      |varios|varias|ningun|ninguna|cada|diario|semanal|mensual|medio|vez|veces|hora|siglo`,
    months: 'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|siglo',
    places: 'en|a|al|desde|sobre|bajo|cerca|calle|plaza|carpeta|directorio|archivo',
    reasons: 'porque|ya que|razon|para que|por lo tanto|debido|a causa|gracias a|puesto que',
    steps: 'use|usar|utilice|utilizar|haga|seleccione|seleccionar|abra|abrir|agregue|puede|debe|tiene que|hay que',
    verdicts: 'si|no|puede|pueden|es|son|solo|solamente|debe|deben|esta|estan',
    free: 'gratis|gratuito|gratuita|sin coste|sin costo',
  },
  it: {
    numbers: `un|una|uno|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|venti|cento|mille|mila|milione|milioni
      |diversi|diverse|nessun|nessuna|ogni|giornaliero|settimanale|mensile|mezzo|volta|volte|ora|secolo`,
    months: 'gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|secolo',
    places: 'a|al|alla|in|nel|nella|su|sul|sotto|presso|via|piazza|cartella|directory|file',
    reasons: 'perche|poiche|motivo|affinche|quindi|a causa|dovuto|grazie a|per evitare|per consentire',
    steps: 'usare|usa|utilizzare|fare|fai|selezionare|seleziona|aprire|apri|aggiungere|puo|deve|bisogna',
    verdicts: 'si|no|non|puo|possono|e|sono|solo|soltanto|deve|devono',
    free: 'gratis|gratuito|gratuita|gratuiti|gratuitamente',
  },
  nl: {
    numbers: `een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|twintig|honderd|duizend|miljoen|miljard
      |meerdere|dozijn|geen|elke|ieder|dagelijks|wekelijks|maandelijks|half|eenmaal|keer|uur|eeuw`,
    months: 'januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|eeuw',
    places: 'in|aan|op|bij|uit|onder|naast|straat|plein|map|bestand',
    reasons: 'omdat|doordat|want|reden|zodat|daarom|vanwege|wegens|om te|waardoor',
    steps: 'gebruik|gebruiken|klik|klikken|selecteer|open|openen|toevoegen|kunt|kan|moet|moeten|ga naar|kies',
    verdicts: 'ja|nee|niet|geen|kan|kunnen|is|zijn|alleen|mag|mogen|moet|moeten',
    free: 'gratis|kosteloos',
  },
  pt: {
    numbers: `um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|vinte|cem|cento|mil|milhao|milhoes
      |varios|varias|nenhum|nenhuma|cada|diario|semanal|mensal|meio|vez|vezes|hora|seculo`,
    months: 'janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|seculo',
    places: 'em|no|na|nos|nas|ao|sobre|sob|perto|rua|praca|pasta|diretorio|arquivo|ficheiro',
    reasons: 'porque|pois|ja que|razao|motivo|para que|portanto|devido|por causa|gracas a',
    steps: 'use|usar|utilize|utilizar|clique|clicar|selecione|selecionar|abra|abrir|adicione|pode|deve|precisa',
    verdicts: 'sim|nao|pode|podem|e|sao|so|somente|apenas|deve|devem',
    free: 'gratis|gratuito|gratuita|gratuitamente|sem custo',
  },
  da: {
    numbers: `en|et|to|tre|fire|fem|seks|syv|otte|ni|ti|elleve|tolv|tyve|hundrede|tusind|million|millioner|flere|dusin
      |ingen|hver|dagligt|ugentligt|manedligt|halv|gang|gange|time|arhundrede`,
    months: 'januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december|arhundrede',
    places: 'i|pa|ved|fra|til|under|naer|vej|gade|plads|mappe|fil',
    reasons: 'fordi|da|grund|sa|derfor|pa grund af|skyldes|for at|saledes',
    steps: 'brug|bruge|klik|klikke|vaelg|vaelge|abn|abne|tilfoj|kan|skal|bor|ga til',
    verdicts: 'ja|nej|ikke|kan|er|kun|ma|skal|ingen',
    free: 'gratis|uden beregning',
  },
  sv: {
    numbers: `en|ett|tva|tre|fyra|fem|sex|sju|atta|nio|tio|elva|tolv|tjugo|hundra|tusen|miljon|miljoner|flera|dussin
      |ingen|inga|varje|dagligen|veckovis|halv|gang|ganger|timme|arhundrade`,
    months: 'januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december|arhundrade',
    places: 'i|pa|vid|fran|till|under|nara|vag|gata|torg|mapp|fil',
    reasons: 'eftersom|darfor att|for att|anledning|darfor|pa grund av|beror|sa att',
    steps: 'anvand|anvanda|klicka|valj|valja|oppna|lagg till|kan|ska|bor|maste|ga till',
    verdicts: 'ja|nej|inte|kan|ar|endast|bara|far|ska|maste|ingen',
    free: 'gratis|kostnadsfri|kostnadsfritt|avgiftsfri|avgiftsfritt',
  },
  nb: {
    numbers: `en|ei|et|to|tre|fire|fem|seks|sju|syv|atte|ni|ti|elleve|tolv|tjue|hundre|tusen|million|millioner|flere|dusin
      |ingen|hver|daglig|ukentlig|manedlig|halv|gang|ganger|time|arhundre`,
    months: 'januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember|arhundre',
    places: 'i|pa|ved|fra|til|under|naer|vei|gate|plass|mappe|fil',
    reasons: 'fordi|siden|grunn|slik at|derfor|pa grunn av|skyldes|for a',
    steps: 'bruk|bruke|klikk|klikke|velg|velge|apne|legg til|kan|skal|bor|ma|ga til',
    verdicts: 'ja|nei|ikke|kan|er|bare|kun|ma|skal|ingen',
    free: 'gratis|kostnadsfritt|vederlagsfritt',
  },
  fi: {
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
  pl: {
    numbers: `jeden|jedna|jedno|dwa|dwie|trzy|cztery|piec|szesc|siedem|osiem|dziewiec|dziesiec|sto|tysiac|tysiecy|milion
      |milionow|kilka|tuzin|zaden|kazdy|codziennie|co tydzien|co miesiac|pol|raz|razy|godzina|godziny|wiek`,
    months: `stycz\\p{L}*|lut\\p{L}{1,3}|marz?[ec]\\p{L}*|kwie\\p{L}*|maj\\p{L}?|czerw\\p{L}*|lip\\p{L}{1,2}|sierp\\p{L}*|wrze\\p{L}*
      |pazdziernik\\p{L}*|listopad\\p{L}*|grud\\p{L}*`,
    places: 'w|we|na|przy|z|do|pod|obok|ulica|ulicy|plac|folder|katalog|plik',
    reasons: 'poniewaz|bo|gdyz|powod|powodu|aby|zeby|dlatego|wskutek|dzieki',
    steps: 'uzyj|uzyc|kliknij|wybierz|otworz|dodaj|mozna|moze|nalezy|trzeba|musi|przejdz',
    verdicts: 'tak|nie|moze|moga|jest|sa|tylko|mozna|musi|nalezy',
    free: 'bezplatny|bezplatne|bezplatna|bezplatnie|darmowy|darmowe|za darmo',
  },
};
