import { languageCode } from '../text/language.ts';

type FixedSentence = 'refusal' | 'incomplete';

type Sentences = readonly [refusal: string, incomplete: string];

/** What is said in the visitor's language when nothing can be answered, and when an answer breaks off. */
const SENTENCES: Readonly<Record<string, Sentences>> = {
  ar: ['عذرًا، لم أجد إجابة عن سؤالك في المحتوى المتاح.', 'هذه الإجابة غير مكتملة. يُرجى المحاولة مرة أخرى.'],
  bg: [
    'За съжаление не намерих отговор на въпроса Ви в наличното съдържание.',
    'Този отговор е непълен. Моля, опитайте отново.',
  ],
  ca: [
    'Ho sento, no he trobat cap resposta a la vostra pregunta en el contingut disponible.',
    'Aquesta resposta és incompleta. Torneu-ho a provar.',
  ],
  cs: [
    'Omlouvám se, ale v dostupném obsahu jsem odpověď na vaši otázku nenašel.',
    'Tato odpověď není úplná. Zkuste to prosím znovu.',
  ],
  da: [
    'Beklager, jeg kunne ikke finde et svar på dit spørgsmål i det tilgængelige indhold.',
    'Svaret er ikke fuldstændigt. Prøv venligst igen.',
  ],
  de: [
    'Leider konnte ich in den verfügbaren Inhalten keine Antwort auf Ihre Frage finden.',
    'Diese Antwort ist unvollständig. Bitte versuchen Sie es noch einmal.',
  ],
  el: [
    'Λυπάμαι, δεν βρήκα απάντηση στην ερώτησή σας στο διαθέσιμο περιεχόμενο.',
    'Αυτή η απάντηση δεν είναι πλήρης. Παρακαλώ δοκιμάστε ξανά.',
  ],
  en: [
    'Sorry, I could not find an answer to your question in the available content.',
    'This answer is incomplete. Please try again.',
  ],
  es: [
    'Lo siento, no he encontrado una respuesta a su pregunta en el contenido disponible.',
    'Esta respuesta está incompleta. Inténtelo de nuevo, por favor.',
  ],
  et: [
    'Kahjuks ei leidnud ma saadaolevast sisust teie küsimusele vastust.',
    'See vastus on poolik. Palun proovige uuesti.',
  ],
  eu: [
    'Sentitzen dut, ez dut zure galderaren erantzunik aurkitu eskuragarri dagoen edukian.',
    'Erantzun hau ez dago osorik. Saiatu berriro, mesedez.',
  ],
  fa: ['متأسفانه پاسخی برای پرسش شما در محتوای موجود پیدا نکردم.', 'این پاسخ ناقص است. لطفاً دوباره تلاش کنید.'],
  fi: [
    'Valitettavasti en löytänyt vastausta kysymykseesi saatavilla olevasta sisällöstä.',
    'Vastaus jäi kesken. Yritä uudelleen.',
  ],
  fr: [
    'Désolé, je n’ai pas trouvé de réponse à votre question dans les contenus disponibles.',
    'Cette réponse est incomplète. Veuillez réessayer.',
  ],
  ga: [
    'Tá brón orm, níor éirigh liom freagra ar do cheist a aimsiú san ábhar atá ar fáil.',
    'Níl an freagra seo iomlán. Bain triail eile as, le do thoil.',
  ],
  he: ['מצטערים, לא נמצאה תשובה לשאלתך בתוכן הזמין.', 'התשובה אינה שלמה. נא לנסות שוב.'],
  hi: ['क्षमा करें, उपलब्ध सामग्री में आपके प्रश्न का उत्तर नहीं मिला।', 'यह उत्तर अधूरा है। कृपया फिर से प्रयास करें।'],
  hr: [
    'Nažalost, u dostupnom sadržaju nema odgovora na vaše pitanje.',
    'Ovaj odgovor nije potpun. Molimo pokušajte ponovno.',
  ],
  hu: [
    'Sajnos nem találtam választ a kérdésére az elérhető tartalomban.',
    'Ez a válasz nem teljes. Kérjük, próbálja újra.',
  ],
  hy: ['Ցավոք, առկա բովանդակության մեջ Ձեր հարցի պատասխանը չգտա։', 'Այս պատասխանը լրիվ չէ։ Խնդրում ենք փորձել կրկին։'],
  id: [
    'Maaf, saya tidak menemukan jawaban atas pertanyaan Anda dalam konten yang tersedia.',
    'Jawaban ini tidak lengkap. Silakan coba lagi.',
  ],
  it: [
    'Mi dispiace, non ho trovato una risposta alla sua domanda nei contenuti disponibili.',
    'Questa risposta è incompleta. Riprovi, per favore.',
  ],
  ja: [
    '申し訳ありませんが、利用できるコンテンツの中にご質問への回答は見つかりませんでした。',
    'この回答は途中までです。もう一度お試しください。',
  ],
  ko: [
    '죄송합니다. 이용 가능한 콘텐츠에서 질문에 대한 답을 찾지 못했습니다.',
    '답변이 완전하지 않습니다. 다시 시도해 주세요.',
  ],
  lt: ['Deja, turimame turinyje atsakymo į jūsų klausimą neradau.', 'Šis atsakymas neišsamus. Bandykite dar kartą.'],
  lv: [
    'Diemžēl pieejamajā saturā atbildi uz jūsu jautājumu neizdevās atrast.',
    'Šī atbilde nav pilnīga. Lūdzu, mēģiniet vēlreiz.',
  ],
  nb: [
    'Beklager, jeg fant ikke noe svar på spørsmålet ditt i det tilgjengelige innholdet.',
    'Svaret er ikke fullstendig. Vennligst prøv igjen.',
  ],
  ne: ['माफ गर्नुहोस्, उपलब्ध सामग्रीमा तपाईंको प्रश्नको उत्तर भेटिएन।', 'यो उत्तर अपूरो छ। कृपया फेरि प्रयास गर्नुहोस्।'],
  nl: [
    'Sorry, ik heb in de beschikbare inhoud geen antwoord op uw vraag gevonden.',
    'Dit antwoord is onvolledig. Probeer het opnieuw.',
  ],
  pl: [
    'Przepraszam, w dostępnych treściach nie ma odpowiedzi na to pytanie.',
    'Ta odpowiedź jest niepełna. Proszę spróbować ponownie.',
  ],
  pt: [
    'Lamento, não encontrei uma resposta à sua pergunta no conteúdo disponível.',
    'Esta resposta está incompleta. Por favor, tente novamente.',
  ],
  ro: [
    'Îmi pare rău, nu am găsit un răspuns la întrebarea dumneavoastră în conținutul disponibil.',
    'Acest răspuns este incomplet. Vă rugăm să încercați din nou.',
  ],
  ru: [
    'К сожалению, в доступных материалах нет ответа на ваш вопрос.',
    'Этот ответ неполный. Пожалуйста, попробуйте ещё раз.',
  ],
  sa: ['क्षम्यताम्, उपलब्धासु सामग्रीषु भवतः प्रश्नस्य उत्तरं न प्राप्तम्।', 'इदम् उत्तरम् अपूर्णम् अस्ति। कृपया पुनः प्रयत्नं करोतु।'],
  sk: [
    'Ľutujeme, v dostupnom obsahu sa nenašla odpoveď na vašu otázku.',
    'Táto odpoveď nie je úplná. Skúste to, prosím, znova.',
  ],
  sl: ['Žal v razpoložljivi vsebini ni odgovora na vaše vprašanje.', 'Ta odgovor ni popoln. Poskusite znova.'],
  sr: [
    'Нажалост, у доступном садржају нема одговора на ваше питање.',
    'Овај одговор није потпун. Молимо покушајте поново.',
  ],
  sv: [
    'Tyvärr hittade jag inget svar på din fråga i det tillgängliga innehållet.',
    'Svaret är inte fullständigt. Försök igen.',
  ],
  ta: ['மன்னிக்கவும், கிடைக்கும் உள்ளடக்கத்தில் உங்கள் கேள்விக்கான பதில் இல்லை.', 'இந்தப் பதில் முழுமையானது அல்ல. மீண்டும் முயலவும்.'],
  th: ['ขออภัย ไม่พบคำตอบสำหรับคำถามของคุณในเนื้อหาที่มีอยู่', 'คำตอบนี้ยังไม่สมบูรณ์ โปรดลองอีกครั้ง'],
  tr: ['Üzgünüm, mevcut içerikte sorunuzun yanıtını bulamadım.', 'Bu yanıt eksik. Lütfen yeniden deneyin.'],
  uk: [
    'На жаль, у доступних матеріалах немає відповіді на ваше запитання.',
    'Ця відповідь неповна. Будь ласка, спробуйте ще раз.',
  ],
  vi: [
    'Rất tiếc, tôi không tìm thấy câu trả lời cho câu hỏi của bạn trong nội dung hiện có.',
    'Câu trả lời này chưa đầy đủ. Vui lòng thử lại.',
  ],
  zh: ['抱歉，在现有内容中没有找到您问题的答案。', '此回答不完整，请重试。'],
};

/** Written forms that a code alone does not tell apart. */
const TRADITIONAL_CHINESE: Sentences = ['抱歉，在現有內容中找不到您問題的答案。', '此回答不完整，請再試一次。'];
const TRADITIONAL_TAG = /^zh[-_](hant|tw|hk|mo)\b/i;

/** Languages that every fixed sentence is written in. */
export const MESSAGE_LANGUAGES: readonly string[] = Object.keys(SENTENCES);

/** The fixed sentences in the first of the languages that they are written in, else in English. */
export function fixedSentences(languages: readonly string[]): Readonly<Record<FixedSentence, string>> {
  const [refusal, incomplete] = sentencesIn(languages);
  return { refusal, incomplete };
}

function sentencesIn(languages: readonly string[]): Sentences {
  for (const tag of languages) {
    if (TRADITIONAL_TAG.test(tag)) return TRADITIONAL_CHINESE;
    const sentences = SENTENCES[languageCode(tag) ?? ''];
    if (sentences !== undefined) return sentences;
  }
  return ENGLISH;
}

const ENGLISH: Sentences = SENTENCES['en'] ?? ['', ''];
