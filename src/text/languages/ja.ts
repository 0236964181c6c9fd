import type { LanguagePack } from './language-pack.ts';

export const JAPANESE: LanguagePack = {
  code: 'ja',
  stopWords: `の は が を に で と も へ や か から まで より だけ など ので けど しかし また そして または および
    これ それ あれ この その あの どの ここ そこ どこ 誰 何 いつ なぜ どう どれ
    です ます だ する した いる ある あり ない なる れる られる
    こと もの ため よう`,
  abbreviations: undefined,
  definitionVerbs: undefined,
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
