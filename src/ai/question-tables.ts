import type { AnswerKind, QuestionType } from './question-types.ts';

/**
 * Phrases of questions, separated by `|`, in lower case without accents (`text/folding`); one that begins with `^`
 * counts at the beginning of the question alone.
 */
export type QuestionTable = {
  readonly types: Readonly<Partial<Record<QuestionType, string>>>;
  readonly asks: Readonly<Partial<Record<AnswerKind, string>>>;
  /** Verbs and nouns that stand in questions about anything. */
  readonly small: string;
  /** What may stand before the question itself. */
  readonly polite: string;
};

export const QUESTION_TABLES: Readonly<Record<string, QuestionTable>> = {
  en: {
    types: {
      number: `^how many|^how much|^how often|^how long|^for how long|^how tall|^how far|^how old|^how big|^how large|^how fast
        |how many|how much|default|maximum|minimum|largest|smallest|limit|port|interval|timeout|price|cost|number`,
      date: '^when|^since when|^what year|^what date|^what time|^at what time|^in which year|^in what year|^which year',
      person: '^who|^whose|^whom|^to whom',
      place: '^where|^in which place|^from where',
      definition: `^what is|^what's|^whats|^what are|^what was|^what were|^what does|^define|^what do you mean by|^definition of`,
      'how-to': '^how|^what do i need to do|^which steps|^what steps',
      why: '^why|what causes|^for what reason|^what is the reason|^how come',
      'yes-no': `^is|^are|^do|^does|^did|^can|^could|^should|^will|^would|^has|^have|^am|^may|^must|^was|^were`,
    },
    asks: {
      phone: 'phone number|telephone number|fax number|phone no',
      email: 'email address|e-mail address|^what is the email|^what is the e-mail',
      price: 'price|prices|cost|costs|fee|fees|^how much is|^how much are|^how much does|^how much do|how much money',
      year: '^what year|^which year|^in what year|^in which year|^when was|^when were|^when did',
      time: 'what time|opening hours',
      count: '^how many|^how often|^how long|^for how long|^how far|^how tall|^how big|^how old',
      person: '^who is|^who was|^who are|^who were|^who wrote|^who founded|^who started|^who invented|^who made',
    },
    small: `turn open find keep wait see start begin happen work help need want try make made take give go come look show
      let put know possible way best good new always every another thing something anything someone different forgot
      lost provide run exist happens allow many much long often far old big large kind type mean difference use using
      used get got please tell explain like else nobody somebody anybody everybody anyone everyone someone nothing
      instead again already still yet soon just right now actually really normally usually simply exactly able unable
      say ask hold let leave bring stuff sort certain correctly properly idea`,
    polite:
      'please|can you tell me|could you tell me|tell me|do you know|i want to know|i would like to know|can you explain|explain',
  },
  de: {
    types: {
      number: `^wie viel|^wie viele|^wieviel|^wieviele|^wie oft|^wie lange|^wie weit|^wie hoch|^wie gross|^wie alt|^wie schnell
        |maximal|minimal|standardwert|hochstens|mindestens|preis|kosten|anzahl|nummer`,
      date: '^wann|^seit wann|^bis wann|^ab wann|^in welchem jahr|^um wie viel uhr|^an welchem tag',
      person: '^wer|^wem|^wen|^wessen|^von wem',
      place: '^wo|^wohin|^woher|^an welchem ort',
      definition: '^was ist|^was sind|^was war|^was bedeutet|^was heisst|^was versteht man unter|^was macht',
      'how-to': '^wie|^was muss ich tun|^welche schritte',
      why: '^warum|^weshalb|^wieso|^aus welchem grund|^wozu',
      'yes-no':
        '^ist|^sind|^kann|^konnen|^darf|^durfen|^muss|^mussen|^gibt es|^hat|^haben|^wird|^werden|^soll|^sollte|^war',
    },
    asks: {
      phone: 'telefonnummer|rufnummer|faxnummer',
      email: 'e-mail-adresse|emailadresse|mailadresse|e-mail adresse',
      price: 'preis|preise|kostet|kosten|gebuhr|gebuhren|eintritt',
      year: '^in welchem jahr|^wann wurde|^wann wurden|^wann war',
      time: 'um wie viel uhr|offnungszeiten|^wann offnet|^wann schliesst',
      count: '^wie viel|^wie viele|^wieviele|^wie oft|^wie lange|^wie weit|^wie hoch|^wie alt|^wie gross',
      person: '^wer ist|^wer war|^wer sind|^wer hat|^wer grundete|^wer schrieb',
    },
    small: `geben gibt machen macht gehen geht finden finde kommen nutzen benutzen verwenden verwendet tun brauchen
      brauche beginnen offnen arbeiten funktioniert moglich gut neu immer art unterschied viel viele lange oft bitte
      habt hattest hattet seid warst wart wirst werdet kannst konnt konnte konnten konntet darfst durft durfte musst musste
      sollst sollt sollten willst wollt wollte magst mogen mogt mochte mochten lasse lasst lassen bekomme bekommst
      bekommt bekommen kriege kriegt kriegen`,
    polite: 'bitte|konnen sie mir sagen|kannst du mir sagen|ich mochte wissen|wissen sie|erklare',
  },
  fr: {
    types: {
      number: '^combien|^a quelle frequence|^quel age|combien|maximum|minimum|prix|cout|nombre|numero|par defaut',
      date: '^quand|^depuis quand|^en quelle annee|^a quelle heure|^a quelle date|^quelle annee',
      person: '^qui|^de qui|^a qui|^par qui',
      place: '^ou|^d ou|^dans quel lieu|^a quel endroit',
      definition: `^qu est-ce que|^qu est-ce qu|^qu'est-ce que|^qu'est-ce qu|^que signifie|^que veut dire|^c est quoi|^c'est quoi|^quelle est la definition`,
      'how-to': '^comment|^de quelle maniere|^quelles etapes',
      why: '^pourquoi|^pour quelle raison|^quelle est la raison',
      'yes-no': `^est-ce que|^est-ce qu|^est-il|^est-elle|^puis-je|^peut-on|^peut|^y a-t-il|^faut-il|^dois-je|^doit-on|^avez-vous`,
    },
    asks: {
      phone: 'numero de telephone|telephone',
      email: 'adresse e-mail|adresse mail|adresse electronique|courriel',
      price: 'prix|cout|coute|coutent|tarif|tarifs|frais',
      year: '^en quelle annee|^quelle annee|^quand a ete|^quand ont ete|^quand fut',
      time: 'a quelle heure|horaires',
      count: '^combien de|^combien|^a quelle frequence|^quel age',
      person: '^qui est|^qui a|^qui etait|^qui sont|^qui fut',
    },
    small: `faire fait trouver aller venir utiliser utilise avoir besoin commencer ouvrir marcher fonctionne possible bon
      nouveau toujours sorte type difference beaucoup souvent longtemps existe s'il plait
      peux pouvons pouvez devons devez veux veut voulez faut`,
    polite: `s'il vous plait|pouvez-vous me dire|peux-tu me dire|je voudrais savoir|dites-moi`,
  },
  es: {
    types: {
      number:
        '^cuanto|^cuanta|^cuantos|^cuantas|^con que frecuencia|cuantos|cuantas|cuanto|maximo|minimo|precio|numero|por defecto',
      date: '^cuando|^desde cuando|^en que ano|^que ano|^a que hora|^en que fecha',
      person: '^quien|^quienes|^de quien|^a quien|^por quien',
      place: '^donde|^adonde|^de donde|^en que lugar',
      definition: '^que es|^que son|^que significa|^que quiere decir|^a que se llama|^que era',
      'how-to': '^como|^de que manera|^que pasos',
      why: '^por que|^cual es la razon|^a que se debe',
      'yes-no': '^es|^son|^puedo|^puede|^se puede|^hay|^tengo que|^debo|^esta|^estan|^existe|^tiene',
    },
    asks: {
      phone: 'numero de telefono|telefono',
      email: 'correo electronico|direccion de correo|email',
      price: 'precio|precios|cuesta|cuestan|coste|costo|tarifa|tarifas',
      year: '^en que ano|^que ano|^cuando fue|^cuando fueron|^cuando se',
      time: 'a que hora|horario|horarios',
      count: '^cuantos|^cuantas|^cuanto tiempo|^con que frecuencia|^cuanto',
      person: '^quien es|^quien fue|^quienes son|^quien fundo|^quien escribio|^quien era',
    },
    small: `hacer hago hace encontrar ir venir usar utilizar necesitar necesito empezar abrir funciona posible bueno nuevo
      siempre tipo clase diferencia mucho muchos tiempo favor existe sirve
      hemos habeis puedo puedes podemos podeis debo debes tengo tienes quiero quieres`,
    polite: 'por favor|puede decirme|puedes decirme|quisiera saber|me gustaria saber|dime',
  },
  it: {
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
      price: 'prezzo|prezzi|costa|costano|costo|tariffa|tariffe',
      year: '^in che anno|^in quale anno|^quando e stato|^quando e stata|^quando fu|^quando sono stati',
      time: 'a che ora|orario|orari',
      count: '^quanti|^quante|^quanto tempo|^ogni quanto|^per quanto',
      person: '^chi e|^chi era|^chi sono|^chi ha|^chi fu|^chi fondo',
    },
    small: `fare fa trovare andare venire usare utilizzare avere bisogno iniziare aprire funziona possibile buono nuovo
      sempre tipo differenza molto tempo favore esiste serve
      posso puoi possiamo potete devo devi voglio vuoi`,
    polite: 'per favore|puoi dirmi|puo dirmi|vorrei sapere|dimmi',
  },
  nl: {
    types: {
      number:
        '^hoeveel|^hoe vaak|^hoe lang|^hoe ver|^hoe hoog|^hoe groot|^hoe oud|^hoe snel|hoeveel|maximum|maximaal|minimaal|prijs|kosten|nummer|standaard',
      date: '^wanneer|^sinds wanneer|^tot wanneer|^in welk jaar|^hoe laat|^op welke datum|^vanaf wanneer',
      person: '^wie|^van wie|^door wie|^aan wie|^wiens',
      place: '^waar|^waarheen|^waarvandaan|^op welke plaats',
      definition: '^wat is|^wat zijn|^wat was|^wat betekent|^wat houdt|^wat wordt bedoeld',
      'how-to': '^hoe|^wat moet ik doen|^op welke manier|^welke stappen',
      why: '^waarom|^waardoor|^om welke reden',
      'yes-no': '^is|^zijn|^kan|^kunnen|^mag|^moet|^moeten|^heeft|^hebben|^wordt|^zal|^kun|^bestaat|^heb',
    },
    asks: {
      phone: 'telefoonnummer|faxnummer',
      email: 'e-mailadres|emailadres|mailadres',
      price: 'prijs|prijzen|kost|kosten|tarief|tarieven',
      year: '^in welk jaar|^wanneer werd|^wanneer is|^wanneer was|^wanneer werden',
      time: 'hoe laat|openingstijden',
      count: '^hoeveel|^hoe vaak|^hoe lang|^hoe ver|^hoe hoog|^hoe oud|^hoe groot',
      person: '^wie is|^wie was|^wie zijn|^wie heeft|^wie schreef|^wie stichtte',
    },
    small: `doen doe maken vinden gaan komen gebruiken gebruik gebruikt nodig beginnen openen werken werkt mogelijk goed
      nieuw altijd soort verschil veel vaak lang bestaat alstublieft
      kun kunt wilt`,
    polite: 'alstublieft|kunt u mij vertellen|kun je me vertellen|ik wil graag weten|vertel me',
  },
  pt: {
    types: {
      number:
        '^quanto|^quanta|^quantos|^quantas|^com que frequencia|^por quanto|quantos|quantas|quanto|maximo|minimo|preco|numero|padrao',
      date: '^quando|^desde quando|^em que ano|^que ano|^a que horas|^em que data|^em qual ano',
      person: '^quem|^de quem|^por quem|^a quem',
      place: '^onde|^aonde|^de onde|^em que lugar',
      definition: '^o que e|^o que sao|^que e|^o que significa|^o que quer dizer|^o que era',
      'how-to': '^como|^de que maneira|^quais passos|^quais os passos',
      why: '^por que|^porque|^por que razao|^qual e a razao|^qual o motivo',
      'yes-no': '^e|^sao|^posso|^pode|^podem|^ha|^tenho de|^devo|^existe|^esta|^tem|^e possivel',
    },
    asks: {
      phone: 'numero de telefone|telefone',
      email: 'endereco de e-mail|endereco de email|correio eletronico',
      price: 'preco|precos|custa|custam|custo|tarifa|tarifas|taxa|taxas',
      year: '^em que ano|^em qual ano|^que ano|^quando foi|^quando foram',
      time: 'a que horas|horario|horarios',
      count: '^quantos|^quantas|^quanto tempo|^com que frequencia',
      person: '^quem e|^quem foi|^quem sao|^quem era|^quem fundou|^quem escreveu',
    },
    small: `fazer faco faz encontrar ir vir usar utilizar precisar preciso comecar abrir funciona possivel bom novo sempre
      tipo diferenca muito muitos tempo favor existe serve
      posso podes devo tenho tens temos quero queres`,
    polite: 'por favor|pode me dizer|podes dizer-me|gostaria de saber|diga-me',
  },
  da: {
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
      price: 'pris|prisen|priser|koster|koste|gebyr|takst|takster',
      year: '^hvilket ar|^i hvilket ar|^hvornar blev|^hvornar var',
      time: 'hvad tid|abningstider|abningstid|^hvornar abner|^hvornar lukker|^hvornar har',
      count: '^hvor mange|^hvor ofte|^hvor laenge|^hvor langt|^hvor hoj|^hvor gammel|^hvor stor',
      person: '^hvem er|^hvem var|^hvem har|^hvem grundlagde|^hvem skrev|^hvem stiftede',
    },
    small: `gore gor finde finder ga komme bruge bruger bruges behover starte abne virker mulig muligt god ny altid slags
      forskel meget mange laenge ofte findes venligst fa far`,
    polite: 'venligst|kan du fortaelle mig|kan du sige mig|jeg vil gerne vide|fortael mig',
  },
  sv: {
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
      price: 'pris|priset|priser|kostar|kosta|avgift|avgiften|avgifter',
      year: '^vilket ar|^i vilket ar|^nar blev|^nar var|^nar grundades',
      time: 'vilken tid|hur dags|oppettider|^nar oppnar|^nar stanger',
      count: '^hur manga|^hur ofta|^hur lange|^hur langt|^hur hog|^hur gammal|^hur stor',
      person: '^vem ar|^vem var|^vem har|^vem grundade|^vem skrev',
    },
    small: `gora gor hitta hittar ga komma anvanda anvander anvands behover borja oppna fungerar mojligt bra ny alltid slags
      sort skillnad mycket manga lange ofta finns snalla fa far`,
    polite: 'snalla|kan du beratta|kan du saga|jag vill veta|beratta',
  },
  nb: {
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
      price: 'pris|prisen|priser|koster|koste|gebyr|avgift',
      year: '^hvilket ar|^i hvilket ar|^nar ble|^nar var',
      time: 'hvilken tid|apningstider|apningstid|^nar apner|^nar stenger',
      count: '^hvor mange|^hvor ofte|^hvor lenge|^hvor langt|^hvor hoy|^hvor gammel|^hvor stor',
      person: '^hvem er|^hvem var|^hvem har|^hvem grunnla|^hvem skrev|^hvem stiftet',
    },
    small: `gjore gjor finne finner ga komme bruke bruker brukes trenger starte apne virker mulig god ny alltid slags
      forskjell mye mange lenge ofte finnes vennligst fa far`,
    polite: 'vennligst|kan du fortelle meg|kan du si meg|jeg vil gjerne vite|fortell meg',
  },
  fi: {
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
      price: 'hinta|hinnat|maksaa|maksavat|maksu|paljonko',
      year: '^mina vuonna|^milloin perustettiin|^milloin rakennettiin',
      time: 'mihin aikaan|aukioloajat|^milloin avataan|^milloin suljetaan',
      count: '^kuinka monta|^kuinka usein|^kuinka kauan|^kuinka pitka|^montako|^miten usein|^miten kauan',
      person: '^kuka on|^kuka oli|^ketka ovat|^kuka perusti|^kuka kirjoitti',
    },
    small: `tehda tekee loytaa loytyy menna tulla kayttaa kaytetaan tarvita tarvitsee aloittaa avata toimii mahdollista hyva
      uusi aina ero paljon usein kauan saa
      voin voit voi voimme voitte`,
    polite: 'voitko kertoa|voisitko kertoa|haluaisin tietaa|kerro',
  },
  pl: {
    types: {
      number:
        '^ile|^jak czesto|^jak dlugo|^jak daleko|^jak wysoki|^jak duzy|^jak stary|^ilu|maksymalna|maksymalny|minimalna|cena|liczba|numer|domyslny',
      date: '^kiedy|^od kiedy|^do kiedy|^w ktorym roku|^o ktorej|^jaka data|^ktorego dnia',
      person: '^kto|^kogo|^komu|^czyj|^przez kogo|^kim',
      place: '^gdzie|^dokad|^skad|^w jakim miejscu',
      definition: '^co to jest|^czym jest|^czym sa|^co to sa|^co oznacza|^co znaczy|^co to',
      'how-to': '^jak|^w jaki sposob|^co musze zrobic|^jakie kroki',
      why: '^dlaczego|^czemu|^z jakiego powodu',
      'yes-no': '^czy|^moge|^mozna',
    },
    asks: {
      phone: 'numer telefonu|telefon',
      email: 'adres e-mail|adres email|adres mailowy|poczta elektroniczna',
      price: 'cena|ceny|kosztuje|kosztuja|koszt|oplata|oplaty|ile kosztuje',
      year: '^w ktorym roku|^kiedy powstal|^kiedy powstala|^kiedy zalozono|^kiedy byl|^kiedy zostal',
      time: 'o ktorej|godziny otwarcia',
      count: '^ile|^ilu|^jak czesto|^jak dlugo|^jak daleko',
      person: '^kto jest|^kto byl|^kim jest|^kto zalozyl|^kto napisal|^kim byl',
    },
    small: `robic zrobic znalezc isc uzywac uzyc potrzebuje potrzebowac zaczac otworzyc dziala mozliwe dobry nowy zawsze
      rodzaj roznica duzo czesto dlugo istnieje prosze
      mam masz macie moge mozesz mozecie musze`,
    polite: 'prosze|czy moze mi pan powiedziec|czy mozesz mi powiedziec|chcialbym wiedziec|powiedz mi',
  },
};
