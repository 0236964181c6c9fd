/**
 * What a sentence opens with that goes on with the one before it, or points back to it: separated by `|`, in lower case.
 * Words that are also articles, or stand for nobody (`es gibt`), are no sign.
 */
const TABLES: Readonly<Record<string, string>> = {
  en: `it|its|it's|they|them|their|this|these|that|those|he|she|his|her|such|both|neither|either|others|another|and|but|or
    |so|then|thus|hence|therefore|however|also|otherwise|instead|still|yet|moreover|furthermore|besides|afterwards
    |nevertheless|similarly|likewise|finally|in this case|in that case|for example|as a result|the same|the other`,
  de: `er|sie|ihr|ihre|ihren|dies|diese|dieser|dieses|diesen|diesem|solche|solcher|dort|dafür|damit|davon|dazu|daran|darauf
    |darüber|dabei|daher|deshalb|deswegen|darum|dann|danach|dadurch|außerdem|jedoch|aber|und|oder|denn|sonst|andernfalls
    |stattdessen|trotzdem|dennoch|ebenso|auch|beide|beides|zum beispiel|in diesem fall|andere`,
  fr: `il|elle|ils|elles|ce|cet|cette|ces|cela|ça|celui-ci|celle-ci|ceux-ci|leur|leurs|et|mais|ou|donc|alors|ainsi|ensuite
    |puis|aussi|cependant|toutefois|sinon|de plus|en outre|par exemple|dans ce cas|les deux|les autres`,
  es: `él|ella|ellos|ellas|este|esta|estos|estas|esto|ese|esa|eso|esos|esas|y|pero|o|entonces|luego|después|además|también|sin
    embargo|por lo tanto|por eso|así|ambos|ambas|por ejemplo|en este caso|los demás|otros|otras`,
  it: `lui|lei|loro|esso|essa|essi|esse|questo|questa|questi|queste|quello|quella|ciò|e|ma|o|quindi|poi|dopo|inoltre|anche
    |tuttavia|altrimenti|entrambi|entrambe|per esempio|in questo caso|gli altri|le altre`,
  nl: `hij|zij|ze|deze|dit|die|dat|hun|haar|en|maar|of|dus|dan|daarna|daarom|daarvoor|daarmee|bovendien|ook|echter|anders
    |beide|bijvoorbeeld|in dat geval|andere`,
  pt: `ele|ela|eles|elas|este|esta|estes|estas|isto|esse|essa|isso|e|mas|ou|então|depois|além disso|também|porém|contudo|por
    isso|assim|ambos|ambas|por exemplo|neste caso|os outros|as outras`,
  da: `han|hun|de|dette|denne|disse|deres|dens|dets|og|men|eller|så|derefter|derfor|desuden|også|dog|ellers|begge|for
    eksempel|i så fald|andre`,
  sv: `han|hon|de|detta|denna|dessa|deras|dess|och|men|eller|så|sedan|därefter|därför|dessutom|också|dock|annars|båda|till
    exempel|i så fall|andra`,
  nb: `han|hun|de|dette|denne|disse|deres|dens|dets|og|men|eller|så|deretter|derfor|dessuten|også|likevel|ellers|begge|for
    eksempel|i så fall|andre`,
  fi: `hän|he|se|ne|tämä|nämä|sen|niiden|niitä|siellä|ja|mutta|tai|sitten|siksi|lisäksi|myös|kuitenkin|muuten|molemmat
    |esimerkiksi|tällöin|muut`,
  pl: `on|ona|ono|oni|one|to|ten|ta|te|ci|tam|i|a|ale|lub|albo|więc|potem|następnie|dlatego|ponadto|także|również|jednak|inaczej
    |oba|obie|na przykład|w takim przypadku|inne|inni`,
};

const patterns = new Map<string, RegExp>();

/** Whether a sentence is understood only behind the one before it; never in languages without a table. */
export function hasContextDependentOpener(sentence: string, language: string): boolean {
  const table = TABLES[language];
  if (table === undefined) return false;
  const pattern = patterns.get(language) ?? compile(table);
  patterns.set(language, pattern);
  return pattern.test(sentence.toLowerCase().replaceAll('’', "'"));
}

function compile(table: string): RegExp {
  const phrases = table.split('|').map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '));
  return new RegExp(String.raw`^[^\p{L}\p{N}]*(?:${phrases.join('|')})(?![\p{L}\p{N}'-])`, 'u');
}
