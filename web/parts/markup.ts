type MarkupPolicy = { readonly createHTML: (markup: string) => string };

/** As far as it is used. Absent in browsers without Trusted Types. */
type TrustedTypes = { readonly createPolicy: (name: string, rules: MarkupPolicy) => MarkupPolicy };

let policy: MarkupPolicy | undefined;

const TAGS = /<[a-z][^<>]*>/gi;
const STYLE_NAME = /\sstyle(?==)/gi;

/**
 * Nodes of markup that the service has cleaned (contract 2.10). Its styles are set by script, so that no page needs
 * `unsafe-inline` for them; they are parsed under another name, as policies look at every parsed document. Nothing where
 * a page requires Trusted Types and does not allow the policy `fossick`.
 */
export function nodesOfMarkup(markup: string): readonly Node[] {
  const template = document.createElement('template');
  try {
    policy ??= createPolicy();
    template.innerHTML = policy.createHTML(markup.replace(TAGS, (tag) => tag.replace(STYLE_NAME, ' data-style')));
  } catch {
    return [];
  }
  for (const element of template.content.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset['style'] ?? '';
    delete element.dataset['style'];
  }
  return [...template.content.childNodes];
}

function createPolicy(): MarkupPolicy {
  const rules = { createHTML: (markup: string) => markup };
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('fossick', rules) ?? rules;
}
