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
    am is are was were be been being have has had having do does did doing will would shall should can could
    might must ought cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt im ive youre theyre
    what which who whom whose when where why how not no there here`,
  de: `der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem jener jene jenes
    ich mich mir mein meine meinen meinem du dich dir dein deine deinen er ihn ihm sein seine seinen seinem
    sie ihr ihre ihren ihrem ihrer es wir uns unser unsere unseren euch euer eure sich man
    und oder aber sondern denn weil dass wenn als ob damit obwohl sowie wie
    in im an am auf aus bei beim mit nach von vom vor zu zum zur für durch gegen ohne um über unter zwischen bis seit
    bin bist ist sind war waren wäre gewesen sei habe hast hat haben hatte hatten hätte werde wird werden wurde wurden
    würde kann können konnte muss müssen soll sollen sollte darf dürfen will wollen mag
    was wer wen wem wessen wo wohin woher wann warum welche welcher welches nicht kein keine hier ihnen`,
  fr: `le la les l un une des du de d au aux ce cet cette ces cela ça c je j me m moi mon ma mes tu te t toi ton ta tes
    il elle on lui son sa ses se s soi nous notre nos vous votre vos ils elles eux leur leurs y en
    et ou mais donc ni que qu si comme lorsque puisque quand
    à dans par pour sans sur sous avec chez contre entre vers depuis pendant avant après dès jusque jusqu
    suis es est sommes êtes sont être étais était étaient sera serait soit ai as a avons avez ont avait avaient
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
    sono sei è siamo siete era erano essere stata sia ho hai ha abbiamo avete hanno aveva avere può possono deve
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
    e ou mas nem que porque pois como embora enquanto quando
    de em por para com sem sobre sob entre até desde após contra durante ante perante
    sou és é somos são era eram foi foram ser sido seja estou está estão estava estar tem têm tinha ter há havia
    pode podem deve devem
    quem qual quais onde quanto quantos não ali aqui`,
  da: `en et den det de denne dette disse der her jeg mig min mit mine du dig din dit dine han ham hans hun hende hendes
    sin sit sine vi os vores i jer jeres dem deres sig man selv
    og eller men for fordi at hvis da når end som om mens så også
    på med til fra af ved under over efter før mod mellem uden gennem hos ad
    er var være været bliver blev blive blevet har havde haft kan kunne skal skulle vil ville må måtte bør
    hvad hvem hvor hvornår hvorfor hvordan hvilken hvilket hvilke ikke ej`,
  sv: `en ett den det de denna detta dessa här där jag mig min mitt mina du dig din ditt dina han honom hans hon henne
    hennes sin sitt sina vi oss vår vårt våra ni er ert era dem deras sig man själv
    och eller men för ty att om när än som medan så eftersom
    i på med till från av vid under över efter före mot mellan utan genom hos ur åt
    är var vara varit blir blev bli blivit har hade ha haft kan kunde ska skall skulle vill ville må måste bör
    vad vem vems vilka vilken vilket varför hur inte ej`,
  no: `en ei et den det de denne dette disse her der jeg meg min mi mitt mine du deg din di ditt dine han ham hans hun
    henne hennes sin si sitt sine vi oss vår vårt våre dere deres dem seg man selv eg ein eit ikkje
    og eller men for fordi at hvis da når enn som om mens så
    i på med til fra av ved under over etter før mot mellom uten gjennom hos ut
    er var være vært blir ble bli blitt har hadde ha hatt kan kunne skal skulle vil ville må måtte bør
    hva hvem hvor hvorfor hvordan hvilken hvilket hvilke kva kven ikke`,
  fi: `minä minun minua minut minulla sinä sinun sinua sinut hän hänen häntä hänet me meidän meitä te teidän teitä he
    heidän heitä se sen sitä siinä siitä siihen ne niiden niitä tämä tämän tätä tässä tästä nämä näiden näitä tuo tuon
    tuota nuo itse joka jonka jota jossa josta johon jotka joiden joita
    ja tai vai mutta sekä että jotta koska kun jos vaikka kuin eli sillä
    kanssa ilman ennen jälkeen välillä kautta varten kohti
    olen olet on olemme olette ovat olin oli olivat ollut olla ole olisi en et ei emme ette eivät älä voivat voisi
    pitää täytyy
    mikä mitä minkä missä mistä mihin kuka ketä kenen milloin miksi miten kuinka täällä siellä`,
  pl: `ten ta to ci te tego tej temu tym tych tymi ja mnie mi mną mój moja moje moich ty ciebie cię tobie twój twoja
    twoje on go mu jego nim ona jej ją nią ono oni one ich im nimi my nas nam nami nasz nasza nasze wy was wam wasz
    wasza wasze się siebie sobie swój swoja swoje swoich
    i a oraz lub albo ale lecz bo że żeby aby jeśli jeżeli gdy kiedy ponieważ więc zatem czy ani niż
    w we z ze na do od ode po pod nad przed przez przy za o u dla bez między ku według podczas
    jest są był była było były być będzie będą jestem jesteś jesteśmy może mogą można musi mają ma mieć
    co kto kogo komu jak jaki jaka jakie jakich który która które których którego której któremu gdzie dlaczego ile
    nie tak tu tam też`,
  ru: `этот эта это эти того этого той этой тех этих тем этим том этом я меня мне мной мой моя моё мои ты тебя тебе твой
    твоя твоё твои он его ему им нём она её ей ею ней оно они их ими них мы нас нам нами наш наша наше наши вы вас вам
    вами ваш ваша ваше ваши себя себе собой свой своя своё свои своих
    и а но или либо что чтобы если когда потому так как хотя также тоже ни же ли бы
    в во на с со к ко от до из у о об обо по за для без при про над под перед через между после около
    есть был была было были быть будет будут может могут можно нужно
    кто кого кому чем какой какая какое какие который которая которое которые которых где куда откуда почему
    сколько не нет да тут там здесь`,
  cs: `ten ta to ti ty tyto tato toto tento toho té tomu tom těch těm já mne mě mi mnou můj moje mého tebe tě tvůj
    tvoje on jeho ho mu něm jím ona její jí ji ono oni ony jejich jim nimi my nás nám námi náš naše vy vás vám vaše váš
    se si sebe sobě svůj svoje své svých
    a i ale nebo či anebo že aby když pokud protože proto tedy ani než jestli
    v ve z ze na do od po pod nad před přes při za o u k ke s pro bez mezi podle během
    je jsou jsem jsi jsme jste byl byla bylo byli být bude budou může mohou lze musí má mají mít
    co kdo koho komu jak jaký jaká jaké který která které kterých kde kam kdy proč kolik ne není také tu tam zde`,
  uk: `цей ця це ці того цього тієї цієї тих цих я мене мені мій моя моє мої ти тебе тобі твій твоя твоє він його йому ним
    вона її їй нею воно вони їх їм ними ми нас нам наш наша наше наші ви вас вам ваш ваша ваше ваші себе собі свій своя
    своє свої
    і й та а але або чи що щоб якщо коли бо тому як хоча також теж ні же би
    в у на з із зі до від по за для без при про над під перед через між після біля
    є був була було були бути буде будуть може можуть можна треба
    хто кого кому який яка яке які яких котрий де куди звідки чому скільки не так тут там`,
  ar: `هذا هذه هذان هؤلاء ذلك تلك أولئك الذي التي الذين اللاتي ما من أنا نحن أنت أنتم هو هي هم هن
    و أو أم ثم لكن لأن أن إن إذا لو كما كي حتى بل بينما حيث قد لقد
    في على إلى عن مع بعد قبل بين تحت فوق خلال منذ عند لدى بدون حول ضد نحو
    كان كانت كانوا يكون تكون ليس ليست لا لم لن له لها لهم به بها فيه فيها منه منها عليه عليها إليه إليها
    كيف متى أين لماذا ماذا هل كم أي هنا هناك`,
  tr: `bir bu şu o bunlar şunlar onlar bunu şunu onu bunun onun ben beni bana benim sen seni sana senin biz bizi bize bizim
    siz sizi size sizin kendi kendisi
    ve veya ya da de ama fakat ancak çünkü eğer ki ise hem ne ile gibi kadar için göre sonra önce
    mi mı mu mü değil var yok olan olarak olur olduğu oldu olmak
    kim kime kimin nasıl neden niçin nerede nereye hangi kaç burada orada`,
  hu: `a az egy ez azok ezek ezt azt ennek annak én engem nekem te téged neked ő őt neki mi minket nekünk ti titeket nektek
    ők őket nekik saját maga
    és s vagy de hanem mert hogy ha mint mivel ezért amikor míg bár sem is meg
    van vannak volt voltak lesz lenni lehet kell nem nincs
    alatt fölött között előtt után mellett nélkül által szerint
    ki mit kinek hol hova honnan mikor miért hogyan melyik milyen mennyi ami aki amely amit akik itt ott`,
  ro: `un o unui unei unor lui cel cea cei cele al ale ai acest această aceste acești acel acea acele eu mă mie meu mea mei
    mele tu te ție tău ta el ea ei ele îl îi lor noi ne nouă nostru noastră voi vă vouă vostru se își său sa săi sale
    și sau dar iar ci că să dacă deși când cum ca nici deci
    în la de din pe cu fără pentru prin spre către sub între după înainte până despre
    este e sunt era erau fi fost va vor am are au avea poate pot trebuie
    cine ce care cui unde cât câți câte nu aici acolo`,
  el: `ο η το οι τα του τησ των τον την τουσ τισ ένα ένασ μια μία ενόσ αυτό αυτόσ αυτή αυτά αυτοί εγώ με μου εσύ σε σου
    αυτόν εμείσ μασ εσείσ σασ εαυτό
    και κι ή αλλά όμωσ γιατί διότι ότι πωσ να αν εάν όταν όπωσ ενώ ούτε ώστε
    από για προσ μετά πριν κατά χωρίσ μέχρι στο στη στην στον στα στουσ στισ
    είναι ήταν είμαι είσαι είμαστε έχει έχουν έχω είχε θα μπορεί μπορούν πρέπει
    ποιοσ ποια ποιο ποιοι τι πού πότε πόσο πόσα που όποιοσ όποια δεν μην όχι εδώ εκεί`,
  ca: `el la els les l un una uns unes d del dels al als pel pels aquest aquesta aquests aquestes aquell aquella això jo em
    m me meu meva tu et t teu teva ell ella es s se seu seva seus seves nosaltres ens nostre nostra vosaltres vostè
    vostès ells elles li hi ho
    i o però sinó ni que perquè si com quan mentre
    a amb de en per sense sobre sota entre fins des cap contra durant
    és són era eren ser sigut sóc ets som està estan estar ha han he hem havia haver pot poden
    què qui quin quina quins quines on quant quanta no aquí allà`,
  ja: `の は が を に で と も へ や か から まで より だけ など ので けど しかし また そして または および
    これ それ あれ この その あの どの ここ そこ どこ 誰 何 いつ なぜ どう どれ
    です ます だ する した いる ある あり ない なる れる られる
    こと もの ため よう`,
  zh: `的 了 着 过 地 得 是 在 和 与 及 或 或者 但 但是 而 因为 所以 如果 虽然 就 都 也 还 又 很
    我 你 您 他 她 它 我们 你们 他们 她们 这 那 这个 那个 这些 那些 自己
    从 到 对 为 被 把 由 向 以 于 给 跟 比 之 其
    有 没有 不 会 能 可以 要 应该 必须
    什么 谁 哪 哪里 哪个 怎么 怎样 如何 为什么 多少 几 何时 吗 呢 吧`,
  th: `ที่ และ หรือ แต่ เพราะ ถ้า เมื่อ ว่า ซึ่ง อัน จึง ก็ ใน ของ จาก ถึง กับ แก่ แด่ โดย ด้วย ตาม บน ใต้ ระหว่าง
    เป็น คือ มี ได้ ไม่ จะ ให้ อยู่ ต้อง อาจ ควร แล้ว กำลัง
    ฉัน ผม เรา คุณ เขา เธอ มัน นี้ นั้น นี่ นั่น
    อะไร ใคร ไหน เมื่อไร ทำไม อย่างไร เท่าไร กี่ ไหม`,
};

const WORDS_BY_LANGUAGE = new Map(
  Object.entries(STOP_WORD_LISTS).map(([language, list]) => [language, new Set(list.split(/\s+/))]),
);

/** Both written forms of Norwegian share one list. */
const LISTED_AS: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' };

/** Fewer words of another list than this may just look like its words. */
const MIN_FITTING_WORDS = 2;

/** Whether a normalised word carries no content in a language. False for languages without a list. */
export function isStopWord(word: string, language: string): boolean {
  return WORDS_BY_LANGUAGE.get(LISTED_AS[language] ?? language)?.has(word) ?? false;
}

/** The stop words of a language as the tokenizer writes them; none for languages without a list. */
export function stopWordsOf(language: string): Iterable<string> {
  return WORDS_BY_LANGUAGE.get(LISTED_AS[language] ?? language) ?? [];
}

/** A single Latin letter is a stop word of some language, and as often a name: it tells no language. */
const ONE_LETTER = /^[a-z]$/;

/** The language whose stop words most of the words are; `expected` unless another fits at least two, and more. */
export function stopWordLanguage(words: readonly string[], expected: string): string {
  const distinctive = words.filter((word) => !ONE_LETTER.test(word));
  const fitting = (language: string) => distinctive.filter((word) => isStopWord(word, language)).length;
  let best = expected;
  let most = Math.max(fitting(expected), MIN_FITTING_WORDS - 1);
  for (const language of WORDS_BY_LANGUAGE.keys()) {
    const count = fitting(language);
    if (count > most) {
      best = language;
      most = count;
    }
  }
  return best;
}
