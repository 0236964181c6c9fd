import type { LanguagePack } from './language-pack.ts';

export const DUTCH: LanguagePack = {
  code: 'nl',
  stopWords: `de het een der des den dit dat deze die ik me mij mijn jij je jou jouw u uw hij hem zijn zij ze haar wij we ons
    onze jullie hun hen zich zichzelf men er
    en of maar want dus omdat als dan toen terwijl hoewel tenzij zodat
    in op aan uit bij met na naar van voor door over om onder tussen tegen zonder tot sinds te ten ter per via
    ben bent is was waren wees geweest heb hebt heeft hebben had hadden word wordt worden werd werden zal zullen zou
    zouden kan kunnen kon konden moet moeten mag mogen wil willen
    wat wie welk welke waar wanneer waarom hoe hoeveel niet geen hier daar`,
  abbreviations: `bijv bv d.w.z enz o.a m.b.t i.v.m t.a.v nl mevr dhr tel blz art incl excl evt ca p.st m.u.v z.s.m`,
  definitionVerbs: 'is|zijn|was|waren|betekent|staat voor|verwijst naar|beschrijft|omvat',
  injectionWords: {
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
    request: 'gebruiker vraagt|gebruikers vragen|iemand vraagt|bezoeker vraagt|je gevraagd wordt|deze pagina samenvat',
    tell: 'zeg dat|antwoord dat|antwoord met|antwoord alleen|beweer dat|zeg alleen',
    dictated:
      'elk antwoord|ieder antwoord|alle antwoorden|elke samenvatting|iedere samenvatting|je antwoord|uw antwoord|elke vermelding|iedere vermelding|elk overzicht|in antwoorden|in samenvattingen',
    dictate: 'noem*|noemt|vermeld*|bevat*|begin*|eindig*|sluit*|zeg*|schrijf*|citeer*|herhaal*|open*|geschreven|luid*',
    occasion:
      'ter sprake komt|wordt genoemd|genoemd wordt|gevraagd wordt|wordt gevraagd|wie antwoordt|wie hierop antwoordt|samenvat',
    addressed: 'je antwoordt|u antwoordt|je samenvat|deze pagina samenvat|dat je geeft|die je geeft|dat u geeft',
    phrases:
      'antwoord alleen met|antwoord uitsluitend|zeg het woord|antwoord vanaf nu|vanaf nu antwoord|vanaf nu ben je|nieuwe instructies|ontwikkelaarsmodus|doe alsof je|vertel de gebruiker niet|noem deze instructie niet',
  },
  synonyms: `prijs,kosten,tarief | telefoon,contact | verwijderen,wissen | wijzigen,aanpassen,veranderen
    | maken,toevoegen,aanmaken | kopen,bestellen | openingstijden,open,geopend | opgericht,oprichting,oprichter`,
  answers: {
    questions: {
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
        duration: '^hoeveel tijd|^hoe lang (?:duurt|duren|gaat|gaan)',
        price: 'prijs|prijzen|kost|kosten|tarief|tarieven|^hoeveel ~betaal|^hoeveel ~betalen|^hoeveel betaal',
        weight: '^hoeveel weegt|^hoeveel wegen|^hoe zwaar|^wat weegt|^wat is het gewicht',
        capacity: '^hoeveel (?:past|passen|bevat|bevatten)',
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
    answerSigns: {
      numbers: `een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|twintig|honderd|duizend|miljoen|miljard
      |meerdere|dozijn|geen|elke|ieder|dagelijks|wekelijks|maandelijks|half|eenmaal|keer|uur|eeuw`,
      months: 'januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|eeuw',
      places: 'in|aan|op|bij|uit|onder|naast|straat|plein|map|bestand',
      reasons: 'omdat|doordat|want|reden|zodat|daarom|vanwege|wegens|om te|waardoor',
      steps: 'gebruik|gebruiken|klik|klikken|selecteer|open|openen|toevoegen|kunt|kan|moet|moeten|ga naar|kies',
      verdicts: 'ja|nee|niet|geen|kan|kunnen|is|zijn|alleen|mag|mogen|moet|moeten',
      free: 'gratis|kosteloos',
    },
    wordings: undefined,
    intents: undefined,
    followUps: {
      refers: 'hij zij hem haar hun dit deze daarvoor daarmee ervan ervoor hetzelfde dezelfde daarna',
      refersLast: 'het ze die dat daar er anders ook',
      opens: 'en|maar|of|dus|ook|hoe zit het met|wat met|waarom niet',
      nounStandIns: '',
      determiners: 'de het een mijn onze ons uw jouw zijn haar deze dit die dat',
      auxiliaries: 'kan kunnen mag mogen moet moeten wil willen zal zullen wordt worden werd heeft hebben',
      copulas: 'is zijn was waren',
      joins: 'van',
      mainVerb: 'last',
    },
    imperatives: {
      verbs: `bel schrijf stuur mail bezoek ga kom kijk open klik druk typ voer vul registreer log download installeer start
      kopieer plak betaal bestel koop boek vraag zeg geef deel antwoord volg gebruik probeer onthoud controleer bevestig
      maak neem houd negeer vergeet voeg verwijder herhaal noem citeer lees kies toon`,
      openers: 'nu dan gewoon ook altijd nooit eerst daarna en dus alstublieft',
    },
    dependentOpeners: `hij|zij|ze|deze|dit|die|dat|hun|haar|en|maar|of|dus|dan|daarna|daarom|daarvoor|daarmee|bovendien|ook|echter|anders
    |beide|bijvoorbeeld|in dat geval|andere`,
    exclusiveWords: `inschakelen uitschakelen|ingeschakeld uitgeschakeld|verhogen verlagen|voor na|minimum/minimaal/minstens
    maximum/maximaal/hoogstens|toegestaan verboden|altijd nooit|verplicht optioneel/vrijwillig|eerste laatste|boven
    onder|open/geopend gesloten|opent sluit|begin einde|begint eindigt|toevoegen verwijderen|waar onwaar|meer minder|alle
    geen/sommige|hoger lager|hoog laag|sneller langzamer|snel langzaam|openbaar privé|ouder jonger|oud nieuw|vroeg laat|vroeger
    later|binnen buiten|gratis betaald|inclusief exclusief|groot klein|lang kort|warm koud|nat/vochtig droog|links
    rechts|sterk zwak|makkelijk/gemakkelijk moeilijk|goedkoop duur|leeg vol|zomer winter lente/voorjaar herfst|ochtend middag
    avond nacht|seconde/seconden minuut/minuten uur/uren dag/dagen week/weken maand/maanden jaar/jaren|dagelijks wekelijks
    maandelijks jaarlijks|maandag dinsdag woensdag donderdag vrijdag zaterdag zondag|januari februari maart april mei juni
    juli augustus september oktober november december|noorden zuiden oosten westen|met zonder|volwassenen
    kinderen|mogelijk onmogelijk|geldig ongeldig|wel niet`,
    negations: 'niet geen nooit noch niets niemand nergens',
    softNegations: 'zonder verboden onmogelijk behalve vermijd vermijden uitgesloten tenzij',
    paraphrases: undefined,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['on', 'niet'],
    attribution: 'volgens',
    joiningWords: 'en maar of terwijl omdat',
    lightWords: `kosten kost prijs betalen betaal gebruiken maken laten bieden biedt geven geeft nemen nodig bevatten bevat tonen vinden vindt bevindt gaan komen krijgen
    ontvangen houden helpen volgens documentatie pagina site website bron artikel tekst informatie ook zeer heel alleen nog al
    altijd vaak meestal graag let voorbeeld echter bovendien daarnaast ongeveer verschillende enkele andere mogelijk beschikbaar
    persoon mensen bezoekers elke iedere`,
    numberWords:
      'twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig',
    roundNumbers:
      'dertig 30 veertig 40 vijftig 50 zestig 60 zeventig 70 tachtig 80 negentig 90 honderd 100 duizend 1000',
  },
};
