/** Endings of a word that is asked for: the copula. What they leave of one syllable is a unit (`몇 도예요`). */
const COPULAS = '이었나요 였나요 인가요 입니까 이에요 이예요 예요'.split(' ');
/** What words end in besides: particles of nouns and endings of verbs. */
const ENDINGS = [
  ...COPULAS,
  ...`은가요 는가요 했나요 었나요 았나요 하나요 되나요 할까요 될까요 을까요 일까요 습니까 합니까 됩니까 입니다 습니다
    합니다 됩니다 나요 까요 가요 어요 아요 여요 해요 돼요 하세요 으세요 세요 으려면 하려면 려면 으면 하면 기까지 까지 부터
    에서는 에서도 에서 에게서 에게 한테 께서 으로는 으로 에는 에도 이나 이란 이라는 하고 하는 하기 되는 처럼 보다 마다
    조차 밖에 은 는 이 가 을 를 의 에 와 과 도 만 로 나 요 고 면 서 께`.split(/\s+/),
].sort((a, b) => b.length - a.length);
/** Fewer syllables are no word that could be told from others. */
const LEAST_SYLLABLES = 2;

const ASKING = new Set(
  `무엇 무엇이 무엇을 무엇인가요 뭐 뭐가 뭘 뭔가요 뭐예요 뭐죠 누구 누가 누굴 누구예요 누구인가요 어디 어디서 어디예요
  어디에 언제 언제까지 언제부터 얼마 얼마나 얼마예요 며칠 왜 어떻게 어떤 어느 어떡해 몇 무슨 있나요 없나요 있어요 없어요
  있습니까 없습니까 인가요 하나요 되나요 해요 돼요 하는 되는 있는 없는 하면 되면 해야 하려면 합니까 됩니까 하죠 되죠
  알려 알려주세요 알려줘 주세요 궁금해요 때 데 수 것 거 좀 그 이 저 및 등 또는 그리고 그런데 제가 저는 우리 나는 내가
  그럼 그러면 그렇게 이렇게 다른`.split(/\s+/),
);

/**
 * A Korean word without its particle or ending, the longest that fits; the word itself when less than two syllables
 * would be left. A noun that only looks as if it had one loses a pair of syllables and keeps the others.
 */
export function koreanStem(word: string): string {
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length - end.length >= LEAST_SYLLABLES);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/** Whether a word of a Korean question asks, or joins others, and names nothing. */
export function isKoreanAsking(word: string): boolean {
  const isUnit = COPULAS.some((end) => word.endsWith(end) && word.length - end.length < LEAST_SYLLABLES);
  return isUnit || ASKING.has(word) || ASKING.has(koreanStem(word));
}
