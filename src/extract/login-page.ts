import { decodeText } from './charset.ts';
import { type PageElement, parsePage, walkTree } from './html/page-tree.ts';
import { compileOneSelector, selectAll } from './html/selectors.ts';
import { openWork } from './html/work.ts';

export type LoginForm = {
  /** Absolute. */
  readonly action: string;
  readonly method: 'get' | 'post';
  /** Names and values that the page itself has filled in, hidden ones included, in document order. */
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

type Form = { readonly element: PageElement; readonly inputs: PageElement[] };

/** Forms of a page, as someone who wants to log in sees them. */
export function readLoginPage({ url, body, contentType }: LoginPageInput): LoginPage {
  const { root } = parsePage(decodeText(body, contentType).text);
  const { forms, base } = readForms(root);
  const baseUrl = URL.parse(base ?? '', url)?.href ?? url;
  const asks = ({ inputs }: Form) => inputs.some(isPassword);
  return {
    formWith: (names) => {
      const form = forms.find((form) => hasInputs(form, names)) ?? forms.find(asks);
      return form && loginForm(form, { url, baseUrl });
    },
    asksForPassword: forms.some(asks),
    hasForm: (names) => forms.some((form) => asks(form) && hasInputs(form, names)),
    has: (selector) => selectAll(root, compileOneSelector(selector), { work: openWork(), limit: 1 }).length > 0,
  };
}

function hasInputs({ inputs }: Form, names: readonly string[]): boolean {
  return names.every((name) => inputs.some((input) => nameOf(input) === name));
}

/** Inputs count for the form around them; those around none for the page as a whole. */
function readForms(root: PageElement): { readonly forms: readonly Form[]; readonly base: string | undefined } {
  const page: Form = { element: root, inputs: [] };
  const forms: Form[] = [];
  const open: Form[] = [page];
  let base: string | undefined;
  walkTree(root, {
    enter: (element) => {
      if (element.name === 'base') base ??= element.attributes['href'];
      if (element.name === 'form') {
        const form = { element, inputs: [] };
        forms.push(form);
        open.push(form);
      }
      if (INPUTS.has(element.name)) open.at(-1)?.inputs.push(element);
      return true;
    },
    exit: (element) => {
      if (element.name === 'form') open.pop();
    },
  });
  return { forms: page.inputs.length === 0 ? forms : [...forms, page], base };
}

const INPUTS: ReadonlySet<string> = new Set(['input', 'textarea', 'select']);
/** Sent only when they are pressed or checked, or never. */
const NOT_FILLED: ReadonlySet<string> = new Set(['submit', 'button', 'image', 'reset', 'file', 'password']);

function loginForm(
  { element, inputs }: Form,
  { url, baseUrl }: { readonly url: string; readonly baseUrl: string },
): LoginForm | undefined {
  const { action = '', method = '' } = element.attributes;
  const target = action.trim() === '' ? url : URL.parse(action, baseUrl)?.href;
  if (target === undefined) return undefined;
  const isGet = element.name === 'form' && method.toLowerCase() !== 'post';
  return { action: target, method: isGet ? 'get' : 'post', filled: inputs.flatMap(filledOf) };
}

function filledOf(input: PageElement): readonly (readonly [string, string])[] {
  const name = nameOf(input);
  const { value, checked, disabled } = input.attributes;
  const type = typeOf(input);
  if (name === '' || input.name !== 'input' || disabled !== undefined || NOT_FILLED.has(type)) return [];
  const isBox = type === 'checkbox' || type === 'radio';
  if (isBox) return checked === undefined ? [] : [[name, value ?? 'on']];
  return [[name, value ?? '']];
}

function isPassword(input: PageElement): boolean {
  return input.name === 'input' && typeOf(input) === 'password';
}

function typeOf({ attributes }: PageElement): string {
  return (attributes['type'] ?? 'text').toLowerCase();
}

function nameOf({ attributes }: PageElement): string {
  return attributes['name'] ?? '';
}
