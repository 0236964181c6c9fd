/**
 * Core stop words per language, as the tokenizer writes them: articles, pronouns, prepositions, conjunctions,
 * auxiliaries and question words, at most 150 each. Words with a meaning of their own are left out on purpose.
 */
export const STOP_WORD_LISTS: Readonly<Record<string, string>> = {
  en: `a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves one
    and or but nor so yet if then than because while although though unless until since whether as
    of at by for with about against between into through during before after to from in out on off over under
    upon within without toward towards onto via per among
    am is are was were be been being have has had having do does did doing will would shall should can could may
    might must ought cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt im ive youre theyre
    what which who whom whose when where why how not no there here`,
  de: `der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem jener jene jenes
    ich mich mir mein meine meinen meinem du dich dir dein deine deinen er ihn ihm sein seine seinen seinem
    sie ihr ihre ihren ihrem ihrer es wir uns unser unsere unseren euch euer eure sich man
    und oder aber sondern denn weil dass wenn als ob damit obwohl sowie wie
    in im an am auf aus bei beim mit nach von vom vor zu zum zur für durch gegen ohne um über unter zwischen bis seit
    bin bist ist sind war waren wäre gewesen sei habe hast hat haben hatte hatten hätte werde wird werden wurde wurden
    würde kann können konnte muss müssen soll sollen sollte darf dürfen will wollen mag
    was wer wen wem wessen wo wohin woher wann warum welche welcher welches nicht kein keine hier`,
  fr: `le la les l un une des du de d au aux ce cet cette ces cela ça c je j me m moi mon ma mes tu te t toi ton ta tes
    il elle on lui son sa ses se s soi nous notre nos vous votre vos ils elles eux leur leurs y en
    et ou mais donc or ni car que qu si comme lorsque puisque quand
    à dans par pour sans sur sous avec chez contre entre vers depuis pendant avant après dès jusque jusqu
    suis es est sommes êtes sont été être étais était étaient sera serait soit ai as a avons avez ont avait avaient
    avoir aura aurait eu fait faire peut peuvent pouvoir doit doivent dois
    qui quoi dont où comment pourquoi combien quel quelle quels quelles ne n pas non là ici`,
  es: `el la los las lo un una unos unas del al este esta esto estos estas ese esa eso esos esas aquel aquella
    yo me mi mis mí tú te tu tus ti él ella ello se su sus sí nosotros nosotras nos nuestro nuestra nuestros nuestras
    vosotros os vuestro vuestra usted ustedes ellos ellas les le
    y e o u pero sino ni que porque pues si como aunque mientras cuando
    a ante bajo con contra de desde durante en entre hacia hasta para por según sin sobre tras
    soy eres es somos son era eran fue fueron ser sido sea estoy está están estaba estar he ha han había haber hay
    tiene tienen puede pueden poder debe deben
    qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuánta cuántos no donde quien cual allí aquí`,
  it: `il lo la i gli le un uno una del dello della dei degli delle al allo alla ai agli alle dal dallo dalla dai dalle
    nel nello nella nei nelle sul sullo sulla sui sulle questo questa questi queste quello quella quelli quelle
    io mi me mio mia miei mie tu ti te tuo tua lui egli lei esso essa si sé suo sua suoi sue noi ci nostro nostra
    nostri voi vi vostro vostra loro ne
    e ed o od ma però anche né che perché se come mentre quando
    a ad di da in con su per tra fra senza verso
    sono sei è siamo siete era erano essere stato stata sia ho hai ha abbiamo avete hanno aveva avere può possono deve
    chi cosa quale quali dove quanto quanti non qui là`,
  nl: `de het een der des den dit dat deze die ik me mij mijn jij je jou jouw u uw hij hem zijn zij ze haar wij we ons
    onze jullie hun hen zich zichzelf men er
    en of maar want dus omdat als dan toen terwijl hoewel tenzij zodat
    in op aan uit bij met na naar van voor door over om onder tussen tegen zonder tot sinds te ten ter per via
    ben bent is was waren wees geweest heb hebt heeft hebben had hadden word wordt worden werd werden zal zullen zou
    zouden kan kunnen kon konden moet moeten mag mogen wil willen
    wat wie welk welke waar wanneer waarom hoe hoeveel niet geen hier daar`,
  pt: `o a os as um uma uns umas do da dos das no na nos nas ao à aos às pelo pela pelos pelas num numa dum duma
    este esta isto estes estas esse essa isso esses essas aquele aquela aquilo
    eu me mim meu minha meus minhas tu te ti teu tua ele ela se si seu sua seus suas nós nosso nossa nossos nossas
    vós você vocês eles elas lhe lhes
    e ou mas nem que porque pois se como embora enquanto quando
    de em por para com sem sobre sob entre até desde após contra durante ante perante
    sou és é somos são era eram foi foram ser sido seja estou está estão estava estar tem têm tinha ter há havia
    pode podem deve devem
    quem qual quais onde quanto quantos não ali aqui`,
  da: `en et den det de denne dette disse der her jeg mig min mit mine du dig din dit dine han ham hans hun hende hendes
    sin sit sine vi os vores i jer jeres dem deres sig man selv
    og eller men for fordi at hvis da når end som om mens så
    på med til fra af ved under over efter før mod mellem uden gennem hos ad siden
    er var være været bliver blev blive blevet har havde have haft kan kunne skal skulle vil ville må måtte bør
    hvad hvem hvis hvor hvornår hvorfor hvordan hvilken hvilket hvilke ikke ej`,
  sv: `en ett den det de denna detta dessa här där jag mig min mitt mina du dig din ditt dina han honom hans hon henne
    hennes sin sitt sina vi oss vår vårt våra ni er ert era dem deras sig man själv
    och eller men för ty att om när än som medan så eftersom
    i på med till från av vid under över efter före mot mellan utan genom hos ur sedan åt
    är var vara varit blir blev bli blivit har hade ha haft kan kunde ska skall skulle vill ville må måste bör
    vad vem vems vilka vilken vilket var varför hur inte ej`,
  no: `en ei et den det de denne dette disse her der jeg meg min mi mitt mine du deg din di ditt dine han ham hans hun
    henne hennes sin si sitt sine vi oss vår vårt våre dere deres dem seg man selv eg ein eit ikkje
    og eller men for fordi at hvis da når enn som om mens så
    i på med til fra av ved under over etter før mot mellom uten gjennom hos ut siden
    er var være vært blir ble bli blitt har hadde ha hatt kan kunne skal skulle vil ville må måtte bør
    hva hvem hvor hvorfor hvordan hvilken hvilket hvilke kva kven ikke`,
  fi: `minä minun minua minut minulla sinä sinun sinua sinut hän hänen häntä hänet me meidän meitä te teidän teitä he
    heidän heitä se sen sitä siinä siitä siihen ne niiden niitä tämä tämän tätä tässä tästä nämä näiden näitä tuo tuon
    tuota nuo itse joka jonka jota jossa josta johon jotka joiden joita
    ja tai vai mutta sekä että jotta koska kun jos vaikka kuin eli sillä
    kanssa ilman ennen jälkeen välillä kautta varten kohti
    olen olet on olemme olette ovat olin oli olivat ollut olla ole olisi en et ei emme ette eivät älä voi voivat voisi
    pitää täytyy
    mikä mitä minkä missä mistä mihin kuka ketä kenen milloin miksi miten kuinka tässä täällä siellä`,
};
