import type { LanguagePack } from './language-pack.ts';

export const ITALIAN: LanguagePack = {
  code: 'it',
  stopWords: `il lo la i gli le un uno una del dello della dei degli delle al allo alla ai agli alle dal dallo dalla dai dalle
    nel nello nella nei nelle sul sullo sulla sui sulle questo questa questi queste quello quella quelli quelle
    io mi me mio mia miei mie tu ti te tuo tua lui egli lei esso essa si sé suo sua suoi sue noi ci nostro nostra
    nostri voi vi vostro vostra loro ne
    e ed o od ma però anche né che perché se come mentre quando
    a ad di da in con su per tra fra senza verso
    sono sei è siamo siete era erano essere stata sia ho hai ha abbiamo avete hanno aveva avere può possono deve
    chi cosa quale quali dove quanto quanti non qui là`,
  abbreviations: `sig sig.ra sigg dott dott.ssa ing avv p.es ecc pag art n tel ca es via p.zza v.le`,
  definitionVerbs: 'è|sono|era|erano|significa|indica|si riferisce a|rappresenta|permette|consente|consiste in',
  injectionWords: {
    override: 'ignora*|ignori|ignorate|dimentica*|trascura*|scarta*|non seguire|aggira*|disattend*',
    orders: 'istruzion*|indicazion*|regole|direttiv*|prompt|ordini|linee guida|comandi',
    which: 'precedent*|tutte|tutti|tue|tuoi|sue|sopra|inizial*|sistema|altre|ogni',
    agents:
      'ia|modello linguistico|modelli linguistici|modello di linguaggio|assistente ia|assistenti ia|agente ia|intelligenza artificiale',
    address:
      'nota per|nota a|messaggio per|messaggio a|istruzioni per|istruzione per|attenzione|cara|caro|sei un|sei una|se sei un|se sei una',
    demand: 'deve|deva|devono|devi|dovrebbe|dovrebbero|sempre|mai|per favore|invece',
    speech: 'rispond*|di|dire|dica|raccomand*|consiglia*|includ*|aggiung*|menzion*|scriv*|afferm*|cita*|ripet*|ignora*',
    reveal: 'rivela*|mostra*|ripeti|stampa|divulga*|scrivi|svela*',
    secrets:
      'prompt di sistema|prompt del sistema|tue istruzioni|messaggio di sistema|tue regole|prompt iniziale|istruzioni di sistema',
    control: 'inizia*|comincia*|termina*|concludi|includi|aggiungi|inserisci|scrivi|menziona',
    answer: 'tua risposta|tue risposte|sua risposta|tuo riassunto|ogni risposta',
    request:
      'utente chiede|utenti chiedono|qualcuno chiede|ti chiedono|ti viene chiesto|visitatore chiede|riassumi questa pagina',
    tell: 'di che|dica che|rispondi che|rispondi con|rispondi solo|afferma che|consiglia|raccomanda',
    dictated:
      'ogni risposta|tutte le risposte|qualsiasi risposta|ogni riassunto|la tua risposta|sua risposta|ogni menzione|ogni sintesi|nelle risposte|nei riassunti',
    dictate:
      'nomin*|menzion*|conten*|contien*|inizi*|comincia*|finir*|termin*|cit*|dire|dica|dici|scriv*|includ*|riport*|ripet*|scritt*|leggere',
    occasion:
      'viene menzionato|viene menzionata|viene nominato|viene nominata|si chiede|si parla di|chi risponde|chi rispondera|coloro che rispondono|riassume questa',
    addressed: 'quando rispondi|rispondendo|riassumi questa|quando riassumi|che dai|che darai|che stai per dare',
    phrases:
      'rispondi solo con|rispondi esclusivamente|rispondi unicamente|di la parola|d ora in poi rispondi|da ora in poi rispondi|da ora in poi sei|nuove istruzioni|modalita sviluppatore|fingi di essere|non dirlo all utente|non menzionare questa istruzione',
  },
  synonyms: `prezzo,costo,tariffa | telefono,contatto | eliminare,cancellare,rimuovere | modificare,cambiare
    | creare,aggiungere | comprare,acquistare,ordinare | orario,aperto,apertura | fondato,fondazione,fondatore`,
  answers: {
    questions: {
      types: {
        number:
          '^quanto|^quanta|^quanti|^quante|^ogni quanto|^per quanto|quanti|quante|quanto|massimo|minimo|prezzo|numero|predefinito',
        date: '^quando|^da quando|^in che anno|^in quale anno|^a che ora|^in che data',
        person: '^chi|^di chi|^da chi|^a chi',
        place: '^dove|^da dove|^in che luogo',
        definition: `^cos'e|^cosa e|^che cos'e|^che cosa e|^cosa sono|^che cosa sono|^cosa significa|^che cosa significa|^cosa vuol dire|^cosa si intende`,
        'how-to': '^come|^in che modo|^quali passi',
        why: '^perche|^per quale motivo|^come mai',
        'yes-no': '^e|^sono|^posso|^puo|^si puo|^ci sono|^devo|^bisogna|^esiste|^ha',
      },
      asks: {
        phone: 'numero di telefono|telefono',
        email: 'indirizzo e-mail|indirizzo email|posta elettronica',
        duration: '^quanto (?:dura|durano|tempo|ci vuole)',
        price: 'prezzo|prezzi|costa|costano|costo|tariffa|tariffe|^quanto ~(?:paga|pago|pagare|paghiamo)',
        weight: '^quanto pesan?o?|^qual e il peso',
        capacity: '^quanto (?:contiene|contengono)',
        year: '^in che anno|^in quale anno|^quando e stato|^quando e stata|^quando fu|^quando sono stati',
        time: 'a che ora|orario|orari',
        count: '^quanti|^quante|^quanto tempo|^ogni quanto|^per quanto|^quanto consuma|^quanto consumano',
        person: '^chi e|^chi era|^chi sono|^chi ha|^chi fu|^chi fondo',
      },
      small: `fare fa trovare andare venire usare utilizzare avere bisogno iniziare aprire funziona possibile buono nuovo
      sempre tipo differenza molto tempo favore esiste serve
      posso puoi possiamo potete devo devi voglio vuoi`,
      polite: 'per favore|puoi dirmi|puo dirmi|vorrei sapere|dimmi',
    },
    answerSigns: {
      numbers: `un|una|uno|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|venti|cento|mille|mila|milione|milioni
      |diversi|diverse|nessun|nessuna|ogni|giornaliero|settimanale|mensile|mezzo|volta|volte|ora|secolo`,
      months: 'gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|secolo',
      places: 'a|al|alla|in|nel|nella|su|sul|sotto|presso|via|piazza|cartella|directory|file',
      reasons: 'perche|poiche|motivo|affinche|quindi|a causa|dovuto|grazie a|per evitare|per consentire',
      steps: 'usare|usa|utilizzare|fare|fai|selezionare|seleziona|aprire|apri|aggiungere|puo|deve|bisogna',
      verdicts: 'si|no|non|puo|possono|e|sono|solo|soltanto|deve|devono',
      free: 'gratis|gratuito|gratuita|gratuiti|gratuitamente',
    },
    wordings: undefined,
    intents: undefined,
    followUps: {
      refers: 'lui lei loro esso essa questo questa questi queste quello quella stesso stessa',
      refersLast: 'lo la li le ci ne altro dopo anche',
      opens: 'e|ma|o|allora|anche|che ne è|perché no',
      nounStandIns: '',
      determiners: 'il lo la i gli le l un uno una mio mia miei mie nostro nostra suo sua questo questa',
      auxiliaries: 'posso può possiamo possono devo deve dobbiamo devono',
      copulas: 'è sono era erano',
      joins: 'di del della dei delle dello d',
      mainVerb: 'behind-auxiliary',
    },
    imperatives: {
      verbs: `chiama chiami scrivi scriva invia invii manda mandi visita visiti vai vada vieni venga guarda guardi apri apra
      clicca clicchi premi prema digita digiti inserisci inserisca compila compili registrati accedi acceda scarica
      scarichi installa installi esegui esegua copia copi incolla incolli paga paghi versa versi ordina ordini compra
      compri prenota prenoti chiedi chieda dica condividi condivida rispondi risponda segui segua usa usi utilizza
      utilizzi prova provi ricorda ricordi verifica verifichi conferma confermi fai faccia prendi prenda ignora ignori
      dimentica aggiungi aggiunga elimina elimini ripeti ripeta menziona cita consiglia leggi legga scegli scelga
      mostra mostri consulta consulti`,
      openers: 'prego ora adesso poi quindi semplicemente anche sempre mai prima e non per favore',
    },
    dependentOpeners: `lui|lei|loro|esso|essa|essi|esse|questo|questa|questi|queste|quello|quella|ciò|e|ma|o|quindi|poi|dopo|inoltre|anche
    |tuttavia|altrimenti|entrambi|entrambe|per esempio|in questo caso|gli altri|le altre`,
    exclusiveWords: `attivare disattivare|attivo disattivo|aumentare diminuire/ridurre|prima dopo|minimo massimo|permesso/consentito
    vietato|sempre mai|obbligatorio facoltativo|primo/prima ultimo/ultima|sopra sotto|aperto chiuso|apre chiude|inizio
    fine|inizia finisce/termina|aggiungere rimuovere/eliminare|vero falso|più meno|tutti/tutte nessuno/nessuna|veloce
    lento|pubblico privato|vecchio nuovo|presto tardi|dentro fuori|interno esterno|gratuito/gratis pagamento|incluso
    escluso|grande piccolo|lungo corto/breve|caldo freddo|umido secco|sinistra destra|alto basso|forte debole|facile
    difficile|caro economico|vuoto pieno|estate inverno primavera autunno|mattina pomeriggio sera notte|secondo/secondi
    minuto/minuti ora/ore giorno/giorni settimana/settimane mese/mesi anno/anni|quotidiano settimanale mensile
    annuale|lunedì martedì mercoledì giovedì venerdì sabato domenica|gennaio febbraio marzo aprile maggio giugno luglio
    agosto settembre ottobre novembre dicembre|nord sud est ovest|con senza|adulto/adulti bambino/bambini|possibile
    impossibile|valido invalido`,
    negations: 'non mai nessun nessuno nessuna né niente nulla neanche neppure',
    softNegations: 'senza impossibile vietato vietata vietati vietate tranne eccetto evitare escluso',
    paraphrases: undefined,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['in', 'im', 'ir', 'il', 's', 'dis'],
    attribution: 'secondo',
    joiningWords: 'e ed ma o mentre perché',
    lightWords: `costare costa costano prezzo pagare pagano usare utilizzare fare lasciare offrire offre dare prendere bisogno contenere contiene mostrare trovare trova andare venire
    ottenere ricevere tenere aiutare secondo documentazione pagina sito fonte articolo testo informazioni anche molto solo ancora
    già sempre spesso generalmente prego nota esempio tuttavia inoltre circa diversi alcuni altri possibile disponibile persona
    persone visitatori ogni permette`,
    numberWords:
      'due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti',
    roundNumbers:
      'trenta 30 quaranta 40 cinquanta 50 sessanta 60 settanta 70 ottanta 80 novanta 90 cento 100 mille 1000',
  },
};
