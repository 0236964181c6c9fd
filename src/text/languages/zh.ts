import type { LanguagePack } from './language-pack.ts';

export const CHINESE: LanguagePack = {
  code: 'zh',
  stopWords: `的 了 着 过 地 得 是 在 和 与 及 或 或者 但 但是 而 因为 所以 如果 虽然 就 都 也 还 又 很
    我 你 您 他 她 它 我们 你们 他们 她们 这 那 这个 那个 这些 那些 自己
    从 到 对 为 被 把 由 向 以 于 给 跟 比 之 其
    有 没有 不 会 能 可以 要 应该 必须
    什么 谁 哪 哪里 哪个 怎么 怎样 如何 为什么 多少 几 何时 吗 呢 吧`,
  abbreviations: undefined,
  definitionVerbs: undefined,
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
