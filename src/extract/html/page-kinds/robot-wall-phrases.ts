/**
 * What pages say that stand in for others until a visitor proves to be no robot, by kind of phrase. Patterns are of one
 * sentence or heading each, and of its beginning where the language allows: a text about such pages quotes them.
 */

const whole = (...phrases: readonly string[]): RegExp => new RegExp(`^(?:${phrases.join('|')})[\\s.!?…:]*$`, 'iu');
const within = (...phrases: readonly string[]): RegExp => new RegExp(phrases.join('|'), 'iu');

/** What comes before a demand. */
const LEAD =
  '^(?:(?:please|kindly|first|sorry|to (?:continue|proceed|go on)|to access [^,.]{1,60}|before (?:you|we) (?:continue|proceed|go on)|(?:we|you) (?:just )?(?:must|need to|have to|want to)|let us|help us(?: to)?)[,:]? ){0,3}';

/** Headings and parts of titles. */
export const HEADING = whole(
  'access (?:to this page )?(?:has been )?(?:is )?denied|(?:entry|access) refused|request (?:rejected|blocked)',
  '(?:sorry, )?you have been blocked|attention required|just a moment|one more step|pardon our interruption',
  '(?:security|human|bot|robot|browser) (?:check|verification|checkpoint|detection|protection)|[\\w.]{1,30} security checkpoint',
  'are you (?:a )?(?:human|robot|person)(?:,? or (?:a )?(?:human|robot|bot))?|checking your browser.{0,40}',
  "(?:verify(?:ing)?|making sure|confirm) (?:that )?you(?: are|['’]re) (?:a )?(?:human|not a (?:ro)?bot)|captcha|ddos[- ]protection.{0,20}",
  'zu(?:griff|gang|tritt) (?:verweigert|gesperrt)|sicherheits(?:über)?prüfung|sind sie ein (?:mensch|roboter)|einen moment,? bitte|nur einen moment',
  'accès (?:refusé|interdit|bloqué)|vérification de sécurité|êtes-vous un (?:robot|humain) ?|un instant(?:,? s.il vous plaît)?',
  'acceso (?:denegado|bloqueado)|(?:verificación|comprobación|control) de seguridad|¿eres (?:un robot|humano)|un momento(?:,? por favor)?',
  'accesso (?:negato|bloccato)|(?:verifica|controllo) di sicurezza|sei un robot|acesso (?:negado|bloqueado)|verificação de segurança|você é um robô',
  'toegang geweigerd|beveiligings(?:controle|verificatie)|ben (?:je|u) een (?:robot|mens)|odmowa dostępu|dostęp (?:zabroniony|zablokowany)|weryfikacja bezpieczeństwa|czy jesteś (?:robotem|człowiekiem)',
  'åtkomst nekad|säkerhetskontroll|är du en (?:robot|människa)|adgang (?:nægtet|nektet)|ingen tilgang|sikkerhe[dt]skontroll?|er du en robot|pääsy estetty|turvatarkistus|oletko robotti',
  'přístup (?:odepřen|zamítnut)|bezpečnostní kontrola|jste (?:člověk|robot)|erişim engellendi|güvenlik (?:kontrolü|doğrulaması)|robot musunuz',
  'доступ (?:запрещ[её]н|ограничен|закрыт)|проверка (?:безопасности|браузера)|вы не робот|доступ (?:заборонено|обмежено)|перевірка безпеки|ви не робот',
  'アクセス(?:が)?(?:拒否|制限)(?:されました|されています)?|セキュリティ(?:チェック|確認|検証)|ロボットではないことの確認',
  '访问(?:被)?(?:拒绝|受限|阻断)|(?:百度)?安全(?:验证|驗證|检查|檢查)|人机验证|人機驗證|액세스(?:가)? 거부(?:됨|되었습니다)?|접근(?:이)? (?:거부|차단)(?:됨|되었습니다)?|보안 (?:확인|검사)',
  'تم رفض الوصول|التحقق الأمني|هل أنت (?:إنسان|روبوت)؟?',
);

/** The visitor shall prove to be a person. */
export const PROOF = within(
  `${LEAD}(?:verify|prove|confirm|show|check|ensure|make sure)(?: to us| us)?(?: that)?(?: if| whether)? you(?: are|['’]re) (?:really |indeed )?(?:an? )?(?:real )?(?:human|person|not an? (?:ro)?bot|not an? machine)`,
  'bitte (?:bestätigen|beweisen|zeigen|verifizieren) sie(?: uns)?,? dass sie (?:ein mensch|kein(?:e)? (?:roboter|bot|maschine))',
  'bitte (?:bestätige|beweise|zeige)(?: uns)?,? dass du (?:ein mensch|kein(?:e)? (?:roboter|bot|maschine))|wir (?:müssen|möchten) (?:über)?prüfen, ob sie ein mensch',
  "(?:veuillez|merci de) (?:vérifier|confirmer|prouver|montrer) que vous (?:êtes (?:bien )?(?:un )?(?:être )?humain|êtes une personne|n['’]êtes pas un robot)|(?:vérifiez|confirmez|prouvez) que vous (?:êtes (?:bien )?(?:un )?(?:être )?humain|n['’]êtes pas un robot)",
  '^(?:por favor,? )?(?:verifi(?:que|ca)|confirm[ea]|demuestr[ea]|comprueb[ea]) que (?:usted )?(?:(?:es|eres) (?:un )?(?:ser )?(?:humano|una persona)|no (?:es|eres) un robot)',
  '^(?:per favore,? |si prega di )?(?:verifica|conferma|dimostra)(?:re)? (?:di |che )(?:essere (?:un essere )?uman[oa]|essere una persona|non essere un robot|non sei un robot|sei uman[oa])',
  '^(?:por favor,? )?(?:verifique|confirme|prove|comprove) que (?:você )?(?:é (?:um )?(?:ser )?humano|é uma pessoa|não é um robô)',
  '^(?:alstublieft |graag )?(?:bevestig|verifieer|bewijs|toon aan) (?:alstublieft )?dat (?:je|u) (?:een mens|geen robot)|^(?:prosimy |proszę )?(?:potwierdź|udowodnij|zweryfikuj|potwierdzić),? że (?:jesteś człowiekiem|nie jesteś robotem)',
  '^(?:vänligen )?(?:bekräfta|verifiera|bevisa|visa) att du (?:är (?:en )?människa|inte är en robot)|^(?:venligst )?(?:bekræft|bevis|vis)(?: venligst)?,? at du (?:er (?:et )?menneske|ikke er en robot)|^(?:vennligst )?(?:bekreft|bevis|vis) at du (?:er (?:et )?menneske|ikke er en robot)',
  '^(?:vahvista|todista|osoita),? että (?:olet ihminen|et ole robotti)|^(?:prosím )?(?:ověřte|potvrďte|prokažte),? že (?:jste člověk|nejste robot)|(?:insan olduğunuzu|robot olmadığınızı) (?:doğrulayın|kanıtlayın)',
  '^(?:пожалуйста,? )?подтвердите,? что (?:вы (?:не робот|человек)|запросы отправляли вы)|^(?:будь ласка,? )?підтвердьте,? що ви (?:не робот|людина)',
  '(?:人間である|ロボットではない)こと(?:を|の)(?:ご?確認|証明)(?:して)?(?:ください|くださ|が必要)|(?:请|請)(?:确认|確認|验证|驗證|证明|證明)(?:您|你)(?:是|不是)(?:真人|人类|人類|机器人|機器人)|(?:로봇이 아님을|사람임을|로봇이 아닌지|사람인지) (?:확인|증명)해',
  '(?:يرجى|الرجاء) (?:التحقق من|تأكيد|إثبات) أنك (?:إنسان|لست روبوت)',
);

/** What the visitor or the browser has to do for it. */
export const TASK = within(
  `${LEAD}(?:press (?:and|&) hold|complete (?:the|this) (?:captcha|security check|challenge|puzzle|verification)|solve (?:the|this) (?:captcha|puzzle|challenge))`,
  `${LEAD}(?:enter|type) the (?:characters|letters|words|text|code) (?:you see|shown|below|in the (?:image|picture))|${LEAD}(?:drag|slide|move) the slider`,
  `${LEAD}(?:click|tick|check) (?:on )?the (?:box|button|checkbox)(?: below)? to (?:verify|prove|continue|confirm|show)|${LEAD}enable javascript and cookies to continue`,
  "^(?:we(?: are|['’]re) )?(?:verifying|checking) (?:you are human|your browser|if the site connection is secure)|^this process is automatic|needs to review the security of your connection",
  'bitte halten sie [^.]{1,40} gedrückt|^(?:bitte )?lösen sie (?:das|die|dieses) (?:captcha|rätsel|aufgabe)|^(?:bitte )?geben sie die (?:angezeigten |abgebildeten )?(?:zeichen|buchstaben)|^(?:bitte )?aktivieren sie javascript und cookies|^ihr browser wird (?:über)?prüft',
  '(?:maintenez|appuyez)[^.]{0,30} (?:enfoncé|maintenez|et maintenez)|^(?:veuillez )?(?:résoudre|résolvez|complétez|compléter) (?:le|ce) captcha|^(?:veuillez )?(?:saisir|saisissez) les caractères|^(?:vérification|analyse) de votre navigateur',
  'mant(?:én|enga) (?:presionado|pulsado)|^(?:por favor,? )?(?:resuelv[ae]|complet[ae]) (?:el|este) captcha|^(?:por favor,? )?(?:introduzca|introduce|escrib[ae]|ingrese) los caracteres|^comprobando (?:su|tu) navegador',
  '(?:tieni|tenere) premuto|^(?:risolvi|completa) il captcha|^inserisci i caratteri|pressione e segure|^(?:resolva|complete) o captcha|^digite os caracteres|^verificando (?:o )?seu navegador',
  'houd (?:de knop |de balk )?ingedrukt|^(?:voer|typ) de (?:getoonde )?tekens|^los de (?:captcha|puzzel) op|naciśnij i przytrzymaj|^(?:przepisz|wpisz) (?:znaki|tekst) z obrazka|^rozwiąż captcha',
  'tryck och håll|håll (?:knappen )?intryckt|tryk og hold|trykk og hold|^(?:skriv|indtast) (?:in |inn )?tegnene|pidä painettuna|stiskněte a podržte|^opište (?:znaky|kód) z obrázku|basılı tutun|captcha.?yı (?:çözün|tamamlayın)',
  'нажмите и удерживайте|^(?:пожалуйста,? )?введите (?:символы|код|текст) с (?:картинки|изображения)|^(?:пожалуйста,? )?пройдите (?:проверку|капчу)|натисніть і утримуйте|^(?:будь ласка,? )?пройдіть перевірку',
  '長押ししてください|(?:表示されて(?:いる)?|画像の)文字を入力してください|ブラウザー?を確認しています|(?:拖动|拖動)(?:滑块|滑塊|下方)|(?:请|請)(?:先)?完成(?:下列|以下|下方)?(?:安全)?(?:验证|驗證)|(?:请|請)按住|正在检查您的浏览器|길게 누르|보안 문자를 입력해|브라우저를 확인하고 있습니다',
  'اضغط مع الاستمرار|^(?:يرجى |الرجاء )?(?:أكمل|إكمال) (?:اختبار|التحقق)|^(?:يرجى |الرجاء )?(?:أدخل|إدخال) الأحرف',
);

/** What the visitor is taken for. */
export const ACCUSATION = within(
  '^(?:sorry, |unfortunately,? |oops!? )?(?:we|our systems?|our security system) (?:have |has )?(?:detected|noticed|received|identified) [^.]{0,40}(?:unusual|suspicious|automated|malicious)',
  '^(?:sorry, )?your (?:ip(?: address)?|request|access|connection|browser|activity)[^.]{0,40} (?:has been|was|is) (?:blocked|rejected|denied|flagged|limited|banned)|made us think (?:that )?you (?:are|were|might be) an? (?:ro)?bot',
  "^(?:sorry, )?you have been (?:blocked|banned)|^(?:it )?looks like you(?: are|[’']re) an? (?:ro)?bot|^the requested url was rejected",
  '^(?:wir haben )?(?:ungewöhnliche[nr]?|verdächtige[nr]?|automatisierte[nr]?) (?:datenverkehr|zugriffe|aktivitäten|anfragen)[^.]{0,60}(?:erkannt|festgestellt|ihre)|^ihre (?:ip-adresse|anfrage) wurde (?:blockiert|gesperrt|abgelehnt)',
  'nous avons détecté [^.]{0,30}(?:inhabituel|suspect|automatis)|^votre (?:adresse ip|requête|demande) a été (?:bloquée|rejetée)|hemos detectado [^.]{0,30}(?:inusual|sospechos|automatizad)|^su (?:dirección )?ip (?:ha sido|fue) bloquead',
  'abbiamo rilevato [^.]{0,30}(?:insolit|sospett|anomal|automatizzat)|^il tuo (?:indirizzo )?ip è stato bloccato|detectamos [^.]{0,30}(?:incomum|suspeit|automatizad)|^(?:o )?seu (?:endereço )?ip foi bloqueado',
  '(?:ongebruikelijk|verdacht|geautomatiseerd)e? (?:verkeer|activiteit)[^.]{0,30} (?:uw|je|gedetecteerd)|wykryliśmy [^.]{0,30}(?:nietypow|podejrzan|automatyczn)|^twój adres ip został zablokowany',
  'мы (?:зарегистрировали|обнаружили|заметили) [^.]{0,30}(?:подозрительн|необычн|автоматическ)|запросы[^.]{0,60}похожи на автоматические|^ваш ip[^.]{0,30} заблокирован|ağınızdan[^.]{0,30}olağan ?dışı',
  '通常と異なる(?:トラフィック|アクセス)[^。]{0,20}検出|自動(?:化された)?(?:アクセス|リクエスト)を検出|(?:检测到|檢測到|偵測到)[^。]{0,15}(?:异常|異常)|您的(?:IP|ip|请求|請求|访问|訪問)[^。]{0,15}(?:拦截|攔截|阻断|阻止|封禁|封鎖)|비정상적인 (?:트래픽|접근|활동)[^.]{0,20}감지',
);

/** The number under which the refusal is known. */
export const INCIDENT = within(
  '\\b(?:cloudflare )?ray id: ?[0-9a-f]{8,}|\\b(?:incident|reference|support|event|block|request|trace) (?:id|number)(?: is)?:? ?#?[0-9][\\w.-]{5,}|\\breference #[0-9][\\w.]{5,}',
);
