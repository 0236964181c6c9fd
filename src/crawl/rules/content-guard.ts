import type { NotFoundPage } from '../../storage/engine/host-content.ts';

/**
 * Bits of 64 in which a text may differ from what it was. Of texts that have nothing to do with one another one pair in
 * 2,700 differs in no more (binomial distribution; at 24 bits one in 33). Decision 0055.
 */
const UNRELATED_BITS = 18;
/** … and in which copies of one text may differ. */
const SAME_BITS = 3;
const MIN_KEPT_RATIO = 0.3;
const MAX_SUSPICIOUS_RATIO = 0.1;
const MAX_SOFT_RATIO = 0.05;
/** A host of a few pages may have that many strange ones. */
const FEW = 3;

/** Similarity of a text: signed 64 bits as decimal text, as stores keep it. */
export type Similarity = string | undefined;

/** Bits in which two texts differ; undefined when one is not known. */
function distance(a: Similarity, b: Similarity): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  let bits = BigInt.asUintN(64, BigInt(a) ^ BigInt(b));
  let count = 0;
  for (; bits !== 0n; bits &= bits - 1n) count++;
  return count;
}

/** What is not known counts as related. */
export function areRelated(a: Similarity, b: Similarity): boolean {
  return (distance(a, b) ?? 0) <= UNRELATED_BITS;
}

export function isSameText(a: Similarity, b: Similarity): boolean {
  return (distance(a, b) ?? 64) <= SAME_BITS;
}

export type Text = {
  readonly similarity: Similarity;
  readonly chars: number | undefined;
  readonly asksPassword: boolean;
};

export type Change = {
  readonly before: Text;
  readonly after: Text & { readonly chars: number };
  /** Another live page has exactly this content. */
  readonly isElsewhere: boolean;
};

/** Why a changed text is looked at twice before it replaces the stored one; undefined when it is as texts change. */
export function suspicionOf({ before, after, isElsewhere }: Change): 'login-wall' | 'identical-pages' | undefined {
  if (after.asksPassword && !before.asksPassword) return 'login-wall';
  const isShort = after.chars < (before.chars ?? 0) * MIN_KEPT_RATIO;
  const isOther = isShort && !areRelated(before.similarity, after.similarity);
  return isOther || isElsewhere ? 'identical-pages' : undefined;
}

/** A page that only lets people in says little else. */
const MAX_SIGN_IN_CHARS = 400;
const SIGN_IN =
  /(?<!\p{L})(?:log[ -]?(?:in|on)|sign[ -]?in|anmeld(?:en|ung)|einloggen|connexion|se connecter|identifiez-vous|iniciar (?:sesión|sessão)|inicio de sesión|acceder|accedi|accesso|entrar|inloggen|aanmelden|logga in|log ind|logg inn|kirjaudu|zaloguj|logowanie|přihl\p{L}*|bejelentkez\p{L}*|autentificare|oturum aç|giriş yap|войти|вход|σύνδεση|تسجيل الدخول|התחבר\p{L}*)(?!\p{L})|登录|登入|ログイン|サインイン|로그인/iu;

/** Is this page, of which nothing was stored before, only a door to others? */
export function isSignInPage(page: { readonly title: string; readonly text: string; readonly asksPassword: boolean }) {
  const { title, text, asksPassword } = page;
  return asksPassword && text.length <= MAX_SIGN_IN_CHARS && SIGN_IN.test(title);
}

/** Is a suspicious change so rare on its host that it may be what it seems? `answers` is `Host.health`. */
export function areSuspicionsRare(answers: string): boolean {
  return isRare(answers, /[il]/g, MAX_SUSPICIOUS_RATIO);
}

/** Do so few pages of the host look like its answer to a random path that one that does may be gone? */
export function areSoftAbsencesRare(answers: string): boolean {
  return isRare(answers, /s/g, MAX_SOFT_RATIO);
}

function isRare(answers: string, letters: RegExp, ratio: number): boolean {
  const count = answers.match(letters)?.length ?? 0;
  return count <= FEW || count < answers.length * ratio;
}

/** Does a page look like what its host answers to a path that cannot exist? */
export function looksNotFound(
  page: { readonly redirectedTo: string | undefined; readonly similarity: () => Similarity },
  notFound: NotFoundPage | undefined,
): boolean {
  if (notFound === undefined) return false;
  if (page.redirectedTo !== undefined && page.redirectedTo === notFound.target) return true;
  return notFound.similarity !== undefined && isSameText(page.similarity(), notFound.similarity);
}

/** A last segment that is no common word, so that it stands in a text only where the URL is quoted. */
const DISTINCTIVE_SEGMENT = /^(?=.*[^\p{L}]).{4,}$|^.{12,}$/u;

/** Error pages quote what they do not find: a text without its own URL can be compared with that of another one. */
export function withoutUrl(text: string, url: string): string {
  const { href, pathname, search } = new URL(url);
  const segment = pathname.split('/').at(-1) ?? '';
  const quoted = [href, `${pathname}${search}`, pathname, ...(DISTINCTIVE_SEGMENT.test(segment) ? [segment] : [])];
  const forms = [...quoted, ...quoted.map(decoded)].filter((form) => form !== '/' && form !== '');
  return forms.reduce((rest, form) => rest.replaceAll(form, ' '), text);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Families of URLs that lead to one target from which on they are taken for missing pages. */
const MANY_URL_TEMPLATES = 5;

export type Move = {
  readonly targetIsSeed: boolean;
  readonly urlTemplates: number;
  /** Texts of the page as it was and of its target. */
  readonly before: Similarity;
  readonly target: Similarity;
};

/** Does a redirect only say that the page is gone: to the home page, to what has nothing to do with it, or like many others? */
export function isSoftMove({ targetIsSeed, urlTemplates, before, target }: Move): boolean {
  return targetIsSeed || urlTemplates >= MANY_URL_TEMPLATES || !areRelated(before, target);
}
