import type { CheerioAPI } from 'cheerio/slim';
import type { Element } from 'domhandler';
import { decodeText } from './charset.ts';
import { parsePage } from './html/page-tree.ts';
import { compileOneSelector, copyTree, openSelectablePage } from './html/selectors.ts';
import { openWork } from './html/work.ts';

export type LoginForm = {
  /** Absolute. */
  readonly action: string;
  readonly method: 'get' | 'post';
  /** Names and values that a browser would send if nobody filled in anything, hidden ones included. */
  readonly filled: readonly (readonly [string, string])[];
};

export type LoginPage = {
  /** The form that has inputs of all these names, else the first with a password. */
  formWith(names: readonly string[]): LoginForm | undefined;
  readonly asksForPassword: boolean;
  /** A form has inputs of all these names, one of them for a password. */
  hasForm(names: readonly string[]): boolean;
  /** @throws Error for what is no CSS selector */
  has(selector: string): boolean;
};

export type LoginPageInput = {
  /** Final URL after redirects. */
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
};

/** Inputs count for the form around them, or the one that they name; without either for the page as a whole. */
type Form = { readonly element: Element | undefined; readonly controls: readonly Element[] };

/** Forms of a page, as someone who wants to log in sees them. */
export function readLoginPage({ url, body, contentType }: LoginPageInput): LoginPage {
  const { root } = parsePage(decodeText(body, contentType).text);
  const { $ } = copyTree(root);
  const forms = formsOf($);
  const baseUrl = URL.parse($('base[href]').attr('href') ?? '', url)?.href ?? url;
  const asks = ({ controls }: Form) => controls.some(isPassword);
  return {
    formWith: (names) => {
      const form = forms.find((form) => hasInputs(form, names)) ?? forms.find(asks);
      return form && loginForm($, form, { url, baseUrl });
    },
    asksForPassword: forms.some(asks),
    hasForm: (names) => forms.some((form) => asks(form) && hasInputs(form, names)),
    has: (selector) => openSelectablePage(root, openWork()).select(compileOneSelector(selector)).size > 0,
  };
}

function formsOf($: CheerioAPI): readonly Form[] {
  const forms = $('form').toArray();
  const byId = new Map(forms.toReversed().map((form) => [form.attribs['id'], form]));
  const ownerOf = (control: Element) => {
    const id = control.attribs['form'];
    return id === undefined ? $(control).closest('form')[0] : byId.get(id);
  };
  const controls = Map.groupBy($('input, select, textarea').toArray(), ownerOf);
  return [...forms, undefined].flatMap((element) => {
    const own = controls.get(element) ?? [];
    return element === undefined && own.length === 0 ? [] : [{ element, controls: own }];
  });
}

function hasInputs({ controls }: Form, names: readonly string[]): boolean {
  return names.every((name) => controls.some((control) => control.attribs['name'] === name));
}

function loginForm(
  $: CheerioAPI,
  { element, controls }: Form,
  { url, baseUrl }: { readonly url: string; readonly baseUrl: string },
): LoginForm | undefined {
  const { action = '', method = '' } = element?.attribs ?? {};
  const target = action.trim() === '' ? url : URL.parse(action, baseUrl)?.href;
  if (target === undefined) return undefined;
  const isGet = element !== undefined && method.toLowerCase() !== 'post';
  const isSent = (control: Element) =>
    !isPassword(control) &&
    $(control).closest('fieldset[disabled]').length === 0 &&
    !(control.name === 'select' && $(control).find('option').length === 0);
  const filled = $(controls.filter(isSent))
    .serializeArray()
    .map(({ name, value }) => [name, value] as const);
  return { action: target, method: isGet ? 'get' : 'post', filled };
}

function isPassword({ name, attribs }: Element): boolean {
  return name === 'input' && attribs['type']?.toLowerCase() === 'password';
}
