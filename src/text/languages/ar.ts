import type { LanguagePack } from './language-pack.ts';

export const ARABIC: LanguagePack = {
  code: 'ar',
  stopWords: `هذا هذه هذان هؤلاء ذلك تلك أولئك الذي التي الذين اللاتي ما من أنا نحن أنت أنتم هو هي هم هن
    و أو أم ثم لكن لأن أن إن إذا لو كما كي حتى بل بينما حيث قد لقد
    في على إلى عن مع بعد قبل بين تحت فوق خلال منذ عند لدى بدون حول ضد نحو
    كان كانت كانوا يكون تكون ليس ليست لا لم لن له لها لهم به بها فيه فيها منه منها عليه عليها إليه إليها
    كيف متى أين لماذا ماذا هل كم أي هنا هناك`,
  abbreviations: undefined,
  definitionVerbs: undefined,
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
