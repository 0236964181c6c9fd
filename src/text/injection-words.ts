/**
 * Words of one language by their part in texts that address an assistant: folded (lower case, no accents), `*` = any
 * ending, a blank inside = several words.
 */
export type InjectionWords = {
  /** ignore, forget */
  readonly override: string;
  /** instructions, prompt */
  readonly orders: string;
  /** previous, all, your: which orders. */
  readonly which: string;
  /** Language models and what they are called; never people. */
  readonly agents: string;
  /** note to, you are: what turns to somebody. */
  readonly address: string;
  /** must, always, please */
  readonly demand: string;
  /** answer, say, recommend */
  readonly speech: string;
  /** reveal, repeat */
  readonly reveal: string;
  /** system prompt, your instructions */
  readonly secrets: string;
  /** end, begin, include: what is done to an answer. */
  readonly control: string;
  /** your answer */
  readonly answer: string;
  /** when users ask */
  readonly asked: string;
  /** say that, respond with */
  readonly tell: string;
  /** Phrases that say enough by themselves. */
  readonly phrases: string;
};

/** Names of models are the same everywhere; `ai` is not, being a word of Italian and French. */
export const MODEL_NAMES =
  'llm|llms|chatgpt|gpt|copilot|claude|gemini|chatbot*|language model*|ai agent*|ai assistant*';

export const INJECTION_WORDS: Readonly<Record<string, InjectionWords>> = {
  en: {
    override: 'ignore*|disregard*|forget|overrid*|bypass*|discard|stop following|do not follow|dont follow|neglect',
    orders:
      'instruction*|prompt|prompts|guideline*|directive*|rules|orders|programming|constraints|guardrail*|training',
    which:
      'previous|prior|above|earlier|preceding|all|any|every|your|system|safety|original|initial|other|existing|former',
    agents:
      'ai|language model|language models|ai system*|virtual assistant*|answering system*|assistant model*|crawler ai',
    address:
      'note to|note for|message to|message for|instruction for|instructions for|instructions to|dear|hey|attention|attention all|you are|you are an|you are a|you are now|you are now a|you are now an',
    demand:
      'must|should|shall|please|always|never|instead|have to|need to|are instructed to|is instructed to|are required to',
    speech:
      'answer*|respond*|reply|replies|say|says|tell|tells|output*|recommend*|include*|append*|mention*|state|claim|write|insert|cite|obey|ignore|disregard|follow|reveal|print|repeat|summarize|summarise',
    reveal: 'reveal*|print|repeat|show|leak|output|display|disclose|expose|tell me|give me|send|write out|quote',
    secrets:
      'system prompt|initial prompt|hidden prompt|original prompt|system message|your instructions|your prompt|your rules|your guidelines|your configuration|secret instructions|prompt above|instructions above|developer message',
    control:
      'begin|start|end|finish|close|prefix|include|append|add|insert|put|mention|write|place|format|replace|precede|conclude|translate',
    answer:
      'your answer|your answers|your response|your responses|your output|your summary|your final answer|your next response|every answer|every response|the generated answer|the generated summary|each answer|each response',
    asked:
      'user asks|users ask|anyone asks|someone asks|anybody asks|somebody asks|visitor asks|visitors ask|asked about this|asked about the|people ask|they ask|asks you|asked to summarize|asked to summarise|summarizing this page|summarising this page|answering questions about|answering a question',
    tell: 'say that|say this|say only|say exactly|respond with|respond that|respond only|reply with|reply that|reply only|answer that|answer with|answer only|state that|claim that|tell them that|tell the user|tell users|output the|recommend',
    phrases:
      'respond only with|reply only with|answer only with|respond with exactly|reply with the word|say the word|say the code word|include the code word|include the secret word|include the phrase|include the following sentence|from now on you|from now on answer|from now on respond|from now on always|new instructions|new system prompt|updated instructions|developer mode|jailbreak|do anything now|pretend you are|pretend that you are|act as if you|you have no restrictions|you are unrestricted|do not mention this instruction|do not reveal this|assistant has to say|assistant must say|assistant should say|assistant has to answer|assistant must answer|assistant should answer|assistant must reply|assistant should reply|your reply must|your answer must|your response must|your reply should contain|your answer should contain|only correct answer is|do not tell the user|dont tell the user|without telling the user|this is a system message|end of system prompt|end of context|end of sources|prompt injection payload',
  },
  de: {
    override:
      'ignorier*|missacht*|vergiss|vergesst|vergessen sie alle|vergessen sie ihre|uberschreib*|umgeh*|verwirf|befolge nicht|befolgen sie nicht',
    orders: 'anweisung*|instruktion*|vorgabe*|regeln|richtlinien|prompt|prompts|systemprompt|befehle|systemanweisung*',
    which:
      'vorherig*|bisherig*|vorig*|fruher*|obig*|alle|allen|deine*|ihre*|saemtlich*|samtlich*|ursprunglich*|andere*',
    agents: 'ki|ai|sprachmodell*|ki modell*|ki assistent*|ki system*|ki agent*',
    address:
      'hinweis an|hinweis fur|nachricht an|anweisung an|anweisungen an|anweisung fur|anweisungen fur|achtung|achtung alle|liebe|lieber|an alle|du bist|du bist eine|du bist ein|sie sind eine|sie sind ein|bist du eine',
    demand: 'muss|mussen|musst|sollst|soll|sollen|sollte|sollten|bitte|immer|niemals|nie|stattdessen',
    speech:
      'antworte*|sag*|nenne*|empfehl*|empfiehl|schreib*|erwahn*|ausgeben|gib|behaupte*|fuge|einfugen|wiederhol*|ignorier*|befolg*',
    reveal: 'verrate*|zeige*|gib|geben|wiederhole*|offenbare*|drucke|nenne*|preisgeben',
    secrets:
      'systemprompt|system prompt|deine anweisungen|deine instruktionen|deine regeln|ihre anweisungen|deinen prompt|systemnachricht|ursprunglichen prompt',
    control: 'beginne*|beende*|fuge|fugen|schreibe*|setze*|erganze*|erwahne*|starte*|hange*|schliesse*',
    answer:
      'deine antwort|deiner antwort|deine antworten|deinen antworten|deine ausgabe|deiner ausgabe|jede antwort|jeder antwort|deine zusammenfassung|deiner zusammenfassung',
    asked:
      'nutzer fragt|nutzer fragen|benutzer fragt|jemand fragt|jemand danach fragt|wer fragt|besucher fragen|gefragt wirst|danach gefragt|seite zusammenfasst',
    tell: 'sage dass|sag dass|antworte dass|antworte mit|antworte nur|behaupte dass|empfiehl|empfehle|sage nur|sag nur',
    phrases:
      'antworte nur mit|antworte ausschliesslich mit|sage das wort|sag das wort|ab jetzt antworte|von nun an antworte|ab sofort antworte|neue anweisungen|neue anweisung|entwicklermodus|tu so als|verrate dem nutzer nicht|sage dem nutzer nicht|erwahne diese anweisung nicht',
  },
  fr: {
    override: 'ignore*|ignorez|oublie*|oubliez|neglige*|contourne*|ne suis pas|ne suivez pas|outrepasse*',
    orders: 'instruction*|consigne*|regles|directive*|prompt|prompts|invite systeme|ordres',
    which: 'precedent*|anterieur*|toutes|tous|toute|tes|vos|ci dessus|initial*|autres|systeme|tout',
    agents: 'ia|modele de langage|modeles de langage|modele de langue|assistant ia|assistants ia|agent ia',
    address:
      'note a|note pour|note aux|message a|message pour|message aux|instructions pour|instruction pour|attention|attention aux|cher|chere|chers|a lattention des|tu es une|tu es un|vous etes une|vous etes un|a toute',
    demand: 'doit|doivent|dois|devez|devrait|toujours|jamais|plutot|veuillez|sil vous plait',
    speech: 'repond*|dis|dites|dire|recommande*|inclu*|ajoute*|mentionn*|ecri*|affirm*|cite*|repet*|affiche*|ignore*',
    reveal: 'revele*|affiche*|montre*|repete*|imprime*|divulgue*|donne*|ecris',
    secrets:
      'prompt systeme|invite systeme|tes instructions|vos instructions|tes consignes|vos consignes|message systeme|prompt initial',
    control: 'commence*|termine*|finis|finissez|inclus|incluez|ajoute*|insere*|mentionne*|ecris|ecrivez|place*',
    answer: 'ta reponse|votre reponse|tes reponses|vos reponses|ton resume|votre resume|chaque reponse',
    asked:
      'utilisateur demande|utilisateurs demandent|quelquun demande|on te demande|on vous demande|visiteur demande|resumes cette page|resumez cette page',
    tell: 'dis que|dites que|reponds que|repondez que|reponds par|repondez par|reponds seulement|repondez seulement|affirme que|affirmez que|recommande|recommandez',
    phrases:
      'reponds uniquement|repondez uniquement|dis le mot|dites le mot|desormais reponds|desormais repondez|a partir de maintenant reponds|a partir de maintenant tu|nouvelles instructions|mode developpeur|fais comme si tu|ne le dis pas a lutilisateur|ne mentionne pas cette instruction',
  },
  es: {
    override: 'ignora*|ignore|ignoren|olvida*|olvide|olviden|descarta*|descarte|omite|omita|desobedec*|no sigas',
    orders: 'instruccion*|indicacion*|reglas|directriz|directrices|prompt|prompts|ordenes|normas',
    which: 'anterior*|previa*|previo*|todas|todos|tus|sus|arriba|inicial*|sistema|otras|toda',
    agents:
      'ia|modelo de lenguaje|modelos de lenguaje|modelo linguistico|asistente de ia|asistentes de ia|agente de ia',
    address:
      'nota para|nota a|mensaje para|mensaje a|instrucciones para|instruccion para|atencion|atencion a|querida|estimada|eres una|eres un|si eres una|si eres un|usted es una',
    demand: 'debe|deben|debes|deberia*|siempre|nunca|por favor|en su lugar|tiene que|tienen que',
    speech:
      'respond*|di|diga|digan|decir|recomiend*|recomendar|incluy*|incluir|anad*|mencion*|escrib*|afirm*|cita|repit*|ignora*',
    reveal: 'revela*|revele|muestra*|muestre|repite|repita|imprime|divulga*|ensena|escribe',
    secrets:
      'prompt del sistema|prompt de sistema|tus instrucciones|sus instrucciones|mensaje del sistema|tus reglas|prompt inicial|prompt original',
    control: 'empieza*|comienza*|termina*|incluye|incluya|anade|anada|agrega|agregue|inserta|escribe|menciona|finaliza',
    answer: 'tu respuesta|su respuesta|tus respuestas|sus respuestas|tu resumen|su resumen|cada respuesta',
    asked:
      'usuario pregunta|usuario pregunte|usuarios pregunten|usuarios preguntan|alguien pregunta|alguien pregunte|te preguntan|te pregunten|visitante pregunta|resumas esta pagina',
    tell: 'di que|diga que|responde que|responda que|responde con|responda con|responde solo|afirma que|recomienda|recomiende',
    phrases:
      'responde unicamente|responde solamente con|responde solo con|di la palabra|a partir de ahora responde|de ahora en adelante responde|a partir de ahora eres|nuevas instrucciones|modo desarrollador|finge que eres|no se lo digas al usuario|no menciones esta instruccion',
  },
  it: {
    override: 'ignora*|ignori|ignorate|dimentica*|trascura*|scarta*|non seguire|aggira*|disattend*',
    orders: 'istruzion*|indicazion*|regole|direttiv*|prompt|ordini|linee guida|comandi',
    which: 'precedent*|tutte|tutti|tue|tuoi|sue|sopra|inizial*|sistema|altre|ogni',
    agents:
      'ia|modello linguistico|modelli linguistici|modello di linguaggio|assistente ia|assistenti ia|agente ia|intelligenza artificiale',
    address:
      'nota per|nota a|messaggio per|messaggio a|istruzioni per|istruzione per|attenzione|cara|caro|sei un|sei una|se sei un|se sei una',
    demand: 'deve|devono|devi|dovrebbe|dovrebbero|sempre|mai|per favore|invece',
    speech: 'rispond*|di|dire|dica|raccomand*|consiglia*|includ*|aggiung*|menzion*|scriv*|afferm*|cita*|ripet*|ignora*',
    reveal: 'rivela*|mostra*|ripeti|stampa|divulga*|scrivi|svela*',
    secrets:
      'prompt di sistema|prompt del sistema|tue istruzioni|messaggio di sistema|tue regole|prompt iniziale|istruzioni di sistema',
    control: 'inizia*|comincia*|termina*|concludi|includi|aggiungi|inserisci|scrivi|menziona',
    answer: 'tua risposta|tue risposte|sua risposta|tuo riassunto|ogni risposta',
    asked:
      'utente chiede|utenti chiedono|qualcuno chiede|ti chiedono|ti viene chiesto|visitatore chiede|riassumi questa pagina',
    tell: 'di che|dica che|rispondi che|rispondi con|rispondi solo|afferma che|consiglia|raccomanda',
    phrases:
      'rispondi solo con|rispondi esclusivamente|rispondi unicamente|di la parola|d ora in poi rispondi|da ora in poi rispondi|da ora in poi sei|nuove istruzioni|modalita sviluppatore|fingi di essere|non dirlo all utente|non menzionare questa istruzione',
  },
  nl: {
    override: 'negeer*|negeren|vergeet|vergeten|omzeil*|sla over|volg niet',
    orders: 'instructie*|opdracht*|aanwijzing*|regels|richtlijnen|prompt|prompts|systeemprompt|bevelen',
    which: 'vorige|eerdere|voorgaande|bovenstaande|alle|je|jouw|uw|oorspronkelijke|andere',
    agents: 'ai|taalmodel*|ai model*|ai assistent*|ai systeem|ai systemen|kunstmatige intelligentie',
    address:
      'bericht aan|bericht voor|opmerking voor|notitie voor|instructie voor|instructies voor|aanwijzing voor|attentie|let op|beste|jij bent een|je bent een|u bent een',
    demand: 'moet|moeten|zou|zouden|altijd|nooit|alsjeblieft|gelieve|in plaats daarvan',
    speech: 'antwoord*|zeg*|zeggen|vermeld*|schrijf*|aanbevel*|raad|herhaal*|noem*|voeg|toevoegen|negeer*|beweer*',
    reveal: 'onthul*|toon|herhaal*|geef|laat zien|print|verklap*',
    secrets:
      'systeemprompt|systeem prompt|jouw instructies|je instructies|je opdrachten|systeembericht|oorspronkelijke prompt|je regels',
    control: 'begin|beginnen|eindig*|sluit|voeg|vermeld*|schrijf|zet|neem',
    answer:
      'je antwoord|jouw antwoord|uw antwoord|je antwoorden|elk antwoord|ieder antwoord|je samenvatting|jouw samenvatting',
    asked: 'gebruiker vraagt|gebruikers vragen|iemand vraagt|bezoeker vraagt|je gevraagd wordt|deze pagina samenvat',
    tell: 'zeg dat|antwoord dat|antwoord met|antwoord alleen|beweer dat|zeg alleen',
    phrases:
      'antwoord alleen met|antwoord uitsluitend|zeg het woord|antwoord vanaf nu|vanaf nu antwoord|vanaf nu ben je|nieuwe instructies|ontwikkelaarsmodus|doe alsof je|vertel de gebruiker niet|noem deze instructie niet',
  },
  pt: {
    override: 'ignor*|esquec*|desconsider*|descart*|desrespeit*|nao siga*|contorn*',
    orders: 'instruc*|orientac*|regras|diretriz|diretrizes|prompt|prompts|ordens|comandos',
    which: 'anterior*|previa*|todas|todos|suas|tuas|acima|inicia*|sistema|outras|quaisquer',
    agents:
      'ia|modelo de linguagem|modelos de linguagem|assistente de ia|assistentes de ia|agente de ia|inteligencia artificial',
    address:
      'nota para|nota a|mensagem para|mensagem a|instrucoes para|instrucao para|atencao|cara|caro|voce e uma|voce e um|se voce e uma|es uma|es um',
    demand: 'deve|devem|deves|deveria*|sempre|nunca|por favor|em vez disso',
    speech: 'respond*|diga|digam|dizer|diz|recomend*|inclu*|adicion*|mencion*|escrev*|afirm*|cite|repit*|repet*|ignor*',
    reveal: 'revel*|mostr*|repita|repete|imprim*|divulg*|escreva|exib*',
    secrets:
      'prompt do sistema|prompt de sistema|suas instrucoes|tuas instrucoes|mensagem do sistema|suas regras|prompt inicial|prompt original',
    control: 'comec*|termin*|inclua|adicion*|acrescent*|insira|escreva|mencion*|finaliz*',
    answer: 'sua resposta|tua resposta|suas respostas|seu resumo|cada resposta|toda resposta',
    asked:
      'usuario perguntar|usuario pergunta|usuarios perguntarem|utilizador perguntar|alguem perguntar|alguem pergunta|te perguntarem|visitante perguntar|resumir esta pagina',
    tell: 'diga que|responda que|responda com|responda apenas|afirme que|recomende',
    phrases:
      'responda apenas com|responda somente com|responda unicamente|diga a palavra|a partir de agora responda|de agora em diante responda|a partir de agora voce|novas instrucoes|modo desenvolvedor|finja que|finja ser|nao conte ao usuario|nao diga ao usuario|nao mencione esta instrucao',
  },
  da: {
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
    asked:
      'bruger sporger|brugeren sporger|brugere sporger|nogen sporger|besogende sporger|du bliver spurgt|opsummerer denne side',
    tell: 'sig at|svar at|svar med|svar kun|pasta at|sig kun',
    phrases:
      'svar kun med|svar udelukkende|sig ordet|fra nu af svar|fra nu af skal du|fra nu af er du|nye instruktioner|nye instrukser|udviklertilstand|lad som om du|fortael ikke brugeren|naevn ikke denne instruktion',
  },
  sv: {
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
    asked:
      'anvandare fragar|anvandaren fragar|nagon fragar|besokare fragar|du blir tillfragad|sammanfattar denna sida|sammanfattar sidan',
    tell: 'sag att|svara att|svara med|svara bara|svara endast|pasta att',
    phrases:
      'svara endast med|svara bara med|sag ordet|fran och med nu svara|fran och med nu ska du|fran och med nu ar du|nya instruktioner|utvecklarlage|lat som om du|latsas att du|beratta inte for anvandaren|namn inte denna instruktion',
  },
  nb: {
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
    asked: 'bruker spor|brukeren spor|brukere spor|noen spor|besokende spor|du blir spurt|oppsummerer denne siden',
    tell: 'si at|svar at|svar med|svar kun|svar bare|pasta at',
    phrases:
      'svar kun med|svar bare med|si ordet|fra na av svar|fra na av skal du|fra na av er du|nye instruksjoner|nye instrukser|utviklermodus|lat som om du|lat som du|ikke fortell brukeren|ikke nevn denne instruksjonen',
  },
  fi: {
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
    asked: 'kayttaja kysyy|kayttajat kysyvat|joku kysyy|sinulta kysytaan|kavija kysyy|tiivistat taman sivun',
    tell: 'sano etta|vastaa etta|vastaa vain|vaita etta|suosittele',
    phrases:
      'vastaa vain sanalla|vastaa ainoastaan|sano sana|tasta lahtien vastaa|tasta lahtien olet|uudet ohjeet|kehittajatila|teeskentele olevasi|ala kerro kayttajalle|ala mainitse tata ohjetta',
  },
  pl: {
    override: 'zignoruj*|ignoruj*|zapomnij|pomin|lekcewaz|nie przestrzegaj|obejdz|odrzuc',
    orders: 'instrukcj*|polecen*|zasad*|wytyczn*|prompt|prompty|regul*|rozkaz*|dyrektyw*',
    which: 'poprzedni*|wczesniejsz*|powyzsz*|wszystki*|swoje|twoje|pierwotn*|inne|dotychczasow*',
    agents: 'ai|si|model jezykow*|modele jezykow*|modelu jezykow*|asystent ai|asystencie ai|sztuczn* inteligencj*',
    address:
      'uwaga dla|wiadomosc do|wiadomosc dla|notatka dla|instrukcja dla|instrukcje dla|uwaga|drogi|droga|hej|jestes|jesli jestes',
    demand: 'musi|musza|musisz|powinien|powinna|powinno|powinny|zawsze|nigdy|prosze|zamiast tego',
    speech: 'odpowi*|powiedz*|mow|polec|polecaj|zalecaj|wspomn*|napisz*|dodaj|dolacz|powtorz*|stwierdz*|ignoruj*',
    reveal: 'ujawni*|pokaz|powtorz|wyswietl|wypisz|zdradz|podaj',
    secrets:
      'prompt systemow*|promptu systemow*|twoje instrukcje|swoje instrukcje|komunikat systemow*|twoje zasady|pierwotny prompt',
    control: 'zacznij|zakoncz|dodaj|dolacz|wstaw|napisz|wspomnij|rozpocznij|umiesc',
    answer:
      'swoja odpowiedz|swojej odpowiedzi|twoja odpowiedz|twojej odpowiedzi|kazda odpowiedz|kazdej odpowiedzi|swoje podsumowanie|swoim podsumowaniu',
    asked:
      'uzytkownik pyta|uzytkownik zapyta|uzytkownicy pytaja|ktos pyta|ktos zapyta|zostaniesz zapytany|odwiedzajacy pyta|podsumowujesz te strone',
    tell: 'powiedz ze|odpowiedz ze|odpowiedz tylko|odpowiadaj ze|odpowiadaj tylko|stwierdz ze',
    phrases:
      'odpowiadaj tylko|odpowiedz wylacznie|odpowiadaj wylacznie|powiedz slowo|od teraz odpowiadaj|od teraz jestes|nowe instrukcje|nowe polecenia|tryb deweloper*|udawaj ze jestes|nie mow uzytkownikowi|nie wspominaj o tej instrukcji',
  },
};
