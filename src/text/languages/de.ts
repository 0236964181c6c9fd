import { daysOf, type LanguagePack } from './language-pack.ts';

export const GERMAN: LanguagePack = {
  code: 'de',
  stopWords: `der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem jener jene jenes
    ich mich mir mein meine meinen meinem du dich dir dein deine deinen er ihn ihm sein seine seinen seinem
    sie ihr ihre ihren ihrem ihrer es wir uns unser unsere unseren euch euer eure sich man
    und oder aber sondern denn weil dass wenn als ob damit obwohl sowie wie
    in im an am auf aus bei beim mit nach von vom vor zu zum zur für durch gegen ohne um über unter zwischen bis seit
    bin bist ist sind war waren wäre gewesen sei habe hast hat haben hatte hatten hätte werde wird werden wurde wurden
    würde kann können konnte muss müssen soll sollen sollte darf dürfen will wollen mag
    was wer wen wem wessen wo wohin woher wann warum welche welcher welches nicht kein keine hier ihnen`,
  abbreviations: `z.b d.h u.a u.u usw bzw ggf evtl inkl exkl zzgl abzgl bspw vgl sog str hr fr nr abs art ziff mind ca tel z.t i.d.r
    o.ä u.ä v.a s.o s.u gem lt geb gest jh mio mrd okt dez mär`,
  definitionVerbs: 'ist|sind|war|waren|bezeichnet|bedeutet|heißt|steht für|dient|beschreibt',
  injectionWords: {
    override:
      'ignorier*|missacht*|vergiss|vergesst|vergessen sie alle|vergessen sie ihre|uberschreib*|umgeh*|verwirf|befolge nicht|befolgen sie nicht',
    orders: 'anweisung*|instruktion*|vorgabe*|regeln|richtlinien|prompt|prompts|systemprompt|befehle|systemanweisung*',
    which:
      'vorherig*|bisherig*|vorig*|fruher*|obig*|alle|allen|deine*|ihre*|saemtlich*|samtlich*|ursprunglich*|andere*',
    agents: 'ki|ai|sprachmodell*|ki modell*|ki assistent*|ki system*|ki agent*',
    address:
      'hinweis an|hinweis fur|nachricht an|anweisung an|anweisungen an|anweisung fur|anweisungen fur|achtung|achtung alle|liebe|lieber|an alle|du bist|du bist eine|du bist ein|sie sind eine|sie sind ein|bist du eine',
    demand: 'muss|hat zu|haben zu|mussen|musst|sollst|soll|sollen|sollte|sollten|bitte|immer|niemals|nie|stattdessen',
    speech:
      'antworte*|sag*|nenne*|empfehl*|empfiehl|schreib*|erwahn*|ausgeben|gib|behaupte*|fuge|einfugen|wiederhol*|ignorier*|befolg*',
    reveal: 'verrate*|zeige*|gib|geben|wiederhole*|offenbare*|drucke|nenne*|preisgeben',
    secrets:
      'systemprompt|system prompt|deine anweisungen|deine instruktionen|deine regeln|ihre anweisungen|deinen prompt|systemnachricht|ursprunglichen prompt',
    control: 'beginne*|beende*|fuge|fugen|schreibe*|setze*|erganze*|erwahne*|starte*|hange*|schliesse*',
    answer:
      'deine antwort|deiner antwort|deine antworten|deinen antworten|deine ausgabe|deiner ausgabe|jede antwort|jeder antwort|deine zusammenfassung|deiner zusammenfassung',
    request:
      'nutzer fragt|nutzer fragen|benutzer fragt|jemand fragt|jemand danach fragt|wer fragt|besucher fragen|gefragt wirst|danach gefragt|seite zusammenfasst',
    tell: 'sage dass|sag dass|antworte dass|antworte mit|antworte nur|behaupte dass|empfiehl|empfehle|sage nur|sag nur',
    dictated:
      'jede antwort|jeder antwort|alle antworten|allen antworten|jede zusammenfassung|jeder zusammenfassung|deine antwort|deiner antwort|ihre antwort|jede darstellung|jeder darstellung|jede erwahnung|jeder erwahnung|jede wiedergabe|in antworten|in zusammenfassungen',
    dictate:
      'nenn*|genannt|erwahn*|enthalt*|beginn*|end*|schliess*|anfuhr*|schreib*|sag*|zitier*|steh*|wiederhol*|eroffn*|geschrieben|lauten|laut*',
    occasion:
      'zur sprache kommt|erwahnt wird|genannt wird|gefragt wird|wer antwortet|wer darauf antwortet|zusammenfasst|zusammenfassen|danach fragt',
    addressed:
      'du antwortest|sie antworten|du zusammenfasst|du diese seite|sie zusammenfassen|die du gibst|die sie geben|du gleich schreibst|sie gleich schreiben',
    phrases:
      'antworte nur mit|antworte ausschliesslich mit|sage das wort|sag das wort|ab jetzt antworte|von nun an antworte|ab sofort antworte|neue anweisungen|neue anweisung|entwicklermodus|tu so als|verrate dem nutzer nicht|sage dem nutzer nicht|erwahne diese anweisung nicht',
  },
  synonyms: `preis,kosten,gebühr,entgelt | telefon,telefonnummer,kontakt | löschen,entfernen | ändern,bearbeiten,anpassen
    | erstellen,anlegen,hinzufügen | kaufen,bestellen,erwerben | öffnungszeiten,geöffnet | gegründet,gründung,gründer
    | maximal,höchstens,maximum | mindestens,minimum,minimal | aktivieren,einschalten | deaktivieren,ausschalten
    | stelle,stellenangebot,karriere | erstattung,rückerstattung,rückgabe | adresse,anschrift`,
  answers: {
    questions: {
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
        duration: '^wie ?viel zeit|^wie lange (?:dauert|dauern|halt|halten|reicht|reichen|braucht|brauchen)',
        price:
          'preis|preise|kostet|kosten|gebuhr|gebuhren|eintritt|^wie ?viel ~zahl(?:t|en|e)|^was ~(?:verlangt|verlangen|zahlt|zahlen|zahle)',
        weight: '^wie ?viel wieg(?:t|en)|^wie schwer|^was wieg(?:t|en)|^welches gewicht',
        capacity: '^wie ?viel (?:fasst|fassen|passt|passen|enthalt|enthalten)',
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
    answerSigns: {
      numbers: `ein|eine|einen|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|zwanzig|hundert|tausend|million|millionen
      |mehrere|dutzend|kein|keine|jede|jeden|taglich|wochentlich|monatlich|halb|einmal|zweimal|stunde|jahrhundert`,
      months: 'januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember|jahrhundert',
      places: 'in|im|an|am|auf|bei|beim|aus|unter|neben|strasse|platz|ordner|verzeichnis|datei',
      reasons: 'weil|da|denn|grund|damit|deshalb|daher|wegen|aufgrund|um zu|dadurch|sodass',
      steps: 'verwenden|nutzen|klicken|wahlen|offnen|hinzufugen|entfernen|konnen|kann|sollte|muss|mussen|geben|gehen',
      verdicts: 'ja|nein|nicht|kein|keine|kann|konnen|ist|sind|nur|darf|durfen|muss|mussen',
      free: 'kostenlos|kostenfrei|gratis|unentgeltlich|gebuhrenfrei',
    },
    wordings: {
      phrases: [
        ['ist es (?:moglich|erlaubt|gestattet)|darf (?:man|ich)|konnen wir|kann man', 'kann ich'],
        ['muss man|ist es notig|bin ich verpflichtet', 'muss ich'],
        ['was muss ich tun um', 'wie'],
        ['was ist der grund fur|aus welchem grund|weshalb|wieso', 'warum'],
        ['wie teuer (?:ist|sind)|was (?:kosten|kostet)', 'wie viel kostet'],
      ],
      empty: `der die das den dem des ein eine einen einem einer eines ich mich mir mein meine wir uns unser unsere sie ihr ihre
      man es er ist sind war waren sein wird werden wurde hat haben hatte kann konnen darf durfen soll sollen muss mussen was
      wer wie wo wann warum welche welcher welches welchen und fur am im in an bei denn eigentlich bitte hier da dort`,
      asked: {
        price: 'preis preise kostet kosten gebuhr gebuhren zahlen zahlt viel teuer eintritt',
        phone: 'telefon telefonnummer nummer',
        email: 'email mail e-mail-adresse e adresse mailadresse',
      },
      ways: 'von nach zu zum zur vor aus bis seit als uber unter ins',
      modes: { can: 'kann|konnen|darf|durfen', must: 'muss|mussen', should: 'soll|sollte|sollten' },
    },
    intents: {
      hours: {
        wanted: `wann (?:hat|haben|ist|sind|habt|macht|machen|offnet|schliesst) ~(?:geoffnet|offen|auf|zu|geschlossen)|wann (?:offnet|schliesst)
        |offnungszeiten|wie lange (?:hat|ist|haben|sind) ~(?:geoffnet|offen|auf)`,
        names: 'offnet geoffnet offen geschlossen schliesst offnungszeiten',
        words: 'geöffnet öffnungszeiten geschlossen',
        times: {
          fruhling: 'märz april mai',
          sommer: 'juni juli august',
          herbst: 'september oktober november',
          winter: 'dezember januar februar',
          wochenende: 'samstag sonntag',
          weihnachten: 'dezember',
          heute: 'täglich',
          morgen: 'täglich',
          feiertagen: 'geschlossen',
          ...daysOf(
            `montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags
          samstags sonntags`,
            'täglich tag',
          ),
        },
      },
      way: {
        wanted: `wie (?:komme|kommt|kommen|gelange|erreiche|erreicht|finde) (?:ich|man|wir) ~(?:zu|zum|zur|nach|hin|den|das|die|euch|ihnen)|anfahrt
        |wo (?:liegt|ist|befindet sich) (?:der|das|die) (?:garten|museum|bibliothek|laden|schloss|zoo|theater)`,
        names: 'erreiche erreichen anfahrt',
        words: 'adresse anfahrt straßenbahn bus bahnhof zug parkplatz fahrrad auto schiff haltestelle eingang',
      },
      price: {
        wanted: 'was kostet|was kosten|wie viel kostet|wie viel kosten|eintrittspreis|eintrittspreise|preise fur',
        names: 'kostet kosten preis preise',
        words: 'preise kosten erwachsene',
      },
      contact: {
        wanted:
          'telefonnummer|rufnummer|wie (?:kann ich|erreiche ich) ~(?:euch|sie|jemanden)|mailadresse|e-mail-adresse',
        names: 'telefonnummer erreiche kontakt',
        words: 'kontakt telefon telefonnummer',
      },
    },
    followUps: {
      refers: `er ihn ihm ihre ihren ihrem dieser diese dieses diesen diesem dort dafür damit davon dazu daran darauf darüber
      stattdessen danach gleiche selbe dessen deren`,
      refersLast: 'es das sie die der den da sonst ihnen auch',
      opens: 'und|aber|oder|also|auch|was ist mit|wie ist es mit|wie steht es mit|warum nicht',
      nounStandIns: '',
      determiners: `der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner ihr ihre ihren ihrem unser unsere unseren dieser diese dieses`,
      auxiliaries: `darf dürfen kann können könnte könnten muss müssen soll sollen sollte will wollen möchte mag wird werden wurde wurden hat haben habe`,
      copulas: 'ist sind war waren',
      joins: 'des von vom',
      mainVerb: 'last',
    },
    imperatives: {
      verbs: `ruf rufe schreib schreibe sende schick schicke besuch besuche geh komm sieh schau offne klick klicke druck
      drucke tippe gib fulle melde lade installiere starte kopiere zahle bezahle uberweise bestell bestelle kauf kaufe
      buche frag frage sag sage teile antworte folge nutze nutz verwende versuch probiere merke beachte prufe bestatige
      mach mache nimm behalte ignoriere vergiss loesche losche wiederhole nenne empfiehl lies wahle zeig zeige`,
      openers: 'bitte nun jetzt dann einfach auch immer nie zuerst danach und also',
      forms: /^\p{L}{2,}e[rl]?n sie (?!\S+ (?:nicht )?\p{L}+\?)/u,
    },
    dependentOpeners: `er|sie|ihr|ihre|ihren|dies|diese|dieser|dieses|diesen|diesem|solche|solcher|dort|dafür|damit|davon|dazu|daran|darauf
    |darüber|dabei|daher|deshalb|deswegen|darum|dann|danach|dadurch|außerdem|jedoch|aber|und|oder|denn|sonst|andernfalls
    |stattdessen|trotzdem|dennoch|ebenso|auch|beide|beides|zum beispiel|in diesem fall|andere`,
    exclusiveWords: `aktivieren deaktivieren|aktiviert deaktiviert|erhöhen senken/verringern|vor nach|minimum/mindestens
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
    negations:
      'nicht kein keine keinen keinem keiner keines nie niemals weder nichts niemand nirgends keinesfalls ohne',
    softNegations: 'statt vermeiden',
    paraphrases: `nicht: nicht erlaubt, nicht gestattet, nicht zulässig, nicht möglich, nicht verfügbar, darf nicht, dürfen nicht, kann nicht
      , können nicht, verboten, untersagt, unzulässig, unmöglich, ausgeschlossen, nicht mehr, ausser, außer, mit ausnahme von, ausgenommen
      |nur: nicht ~ ohne, nie ohne, niemals ohne, darf nicht ~ ohne, dürfen nicht ~ ohne, ausschliesslich, ausschließlich, lediglich
      |kann: darf, dürfen, können, erlaubt, gestattet, zulässig, möglich, nicht verboten
      |muss: müssen, pflicht, verpflichtend, erforderlich, notwendig, nötig, vorgeschrieben, obligatorisch
      |nicht muss: muss nicht, müssen nicht, nicht erforderlich, nicht notwendig, nicht nötig, freiwillig
      |wenn nicht: ausser wenn, außer wenn, es sei denn
      |wenn: sofern, falls, vorausgesetzt
      |auchwenn: auch wenn, selbst wenn, unabhängig davon ob
      |höchstens: maximal, nicht mehr als, nicht länger als, nicht grösser als, nicht größer als, nicht älter als, bis zu, maximum
      |mindestens: nicht weniger als, oder mehr, minimum, minimal, wenigstens
      |über: mehr als, älter als, länger als, grösser als, größer als
      |unter: weniger als, jünger als, kürzer als, kleiner als
      |nicht offen: geschlossen
      |offen: geöffnet
      |nicht gültig: ungültig
      |nicht zahlen: kostenlos, kostenfrei, gratis, umsonst, unentgeltlich, gebührenfrei, nichts kosten, nichts zahlen, zahlen nichts
      , kostet nichts, nichts bezahlen
      |zahlen: bezahlen, kosten, kostet, gebühr
      |täglich: jeden tag, pro tag
      |wöchentlich: jede woche, pro woche
      |monatlich: jeden monat, pro monat
      |jährlich: jedes jahr, pro jahr
      |nicht laufen: ausser betrieb, außer betrieb, nicht funktionieren, funktioniert nicht
      |30 minuten: halbe stunde, halben stunde
      |14 tage: zwei wochen, zweier wochen
      |ohne *: *frei, *freie, *freien, *freies, *freier, *los, *lose, *losen
      |nicht *: un*lich, un*bar, un*t`,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['un', 'nicht'],
    attribution: 'laut',
    joiningWords: 'und aber oder während weil obwohl sondern',
    lightWords: `kosten kostet preis preise zahlen bezahlen benutzen verwenden nutzen machen lassen bieten bietet geben gibt nehmen brauchen benötigen enthalten enthält zeigen
    zeigt finden findet befindet liegt steht kommen gehen bekommen erhalten halten helfen arbeiten laut gemäss gemäß
    dokumentation seite webseite website quelle artikel text angaben informationen auch sehr nur noch schon bereits immer
    meist meistens oft normalerweise bitte hinweis beispiel zudem ausserdem außerdem dabei dazu jedoch daher deshalb etwa rund circa
    ungefähr verschieden viele einige mehrere ander weitere möglich verfügbar gehören gehört handelt besucher person menschen jeder jede
    jedes sowie insgesamt jeweils`,
    numberWords:
      'zwei|zweimal drei|dreimal vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
    roundNumbers:
      'dreissig 30 dreißig 30 vierzig 40 fünfzig 50 sechzig 60 siebzig 70 achtzig 80 neunzig 90 hundert 100 tausend 1000',
  },
};
