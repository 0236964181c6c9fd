/**
 * What runs inside of a page, in a world of its own: the page's scripts cannot see or change it. Functions are sent as
 * text, so they use nothing but each other. The types are the few members of the DOM that they need.
 */
type PageNode = {
  readonly nodeType: number;
  readonly localName: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
  readonly shadowRoot: PageNode | null;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  assignedNodes?(options: { readonly flatten: boolean }): readonly PageNode[];
  getAttribute(name: string): string | null;
};

type ComputedStyle = { readonly display: string; readonly visibility: string; readonly opacity: string };

type PageWindow = {
  readonly document: PageNode & {
    readonly documentElement: PageNode | null;
    querySelector(selector: string): PageNode | null;
  };
  readonly MutationObserver: new (
    seen: () => void,
  ) => { observe(node: PageNode, what: Readonly<Record<string, boolean>>): void };
  getComputedStyle(node: PageNode): ComputedStyle;
  fossickChanges?: number;
};

/** An expression: how often text or elements of the page have changed; the first one begins to watch. */
export const CHANGES = `(${String(countChanges)})()`;

/** An expression: whether the page has an element. A selector that cannot be read is never met. */
export function showsElement(selector: string): string {
  return `(${String(hasElement)})(${JSON.stringify(selector)})`;
}

/**
 * An expression: the page's tree as HTML. Open shadow roots stand where they are shown, slots hold what is put into
 * them, scripts, styles, templates and long comments are left out, and elements whose visibility their own attributes do not tell are
 * marked. Undefined when it is longer than `maxChars`.
 */
export function serializedTree(maxChars: number): string {
  const parts = [
    serialize,
    writeNode,
    writeElement,
    startTag,
    isLeftOut,
    isData,
    childrenOf,
    visibilityOf,
    escapeText,
    commentText,
  ];
  return `(() => { ${parts.map(String).join('\n')}\nreturn serialize(${maxChars}); })()`;
}

function countChanges(): number {
  const page = globalThis as unknown as PageWindow;
  if (page.fossickChanges === undefined) {
    page.fossickChanges = 0;
    const observer = new page.MutationObserver(() => {
      page.fossickChanges = (page.fossickChanges ?? 0) + 1;
    });
    observer.observe(page.document, { childList: true, characterData: true, subtree: true });
  }
  return page.fossickChanges;
}

function hasElement(selector: string): boolean {
  try {
    return (globalThis as unknown as PageWindow).document.querySelector(selector) !== null;
  } catch {
    return false;
  }
}

type Written = { readonly parts: string[]; chars: number; readonly maxChars: number };
/** `isBody`: within the body · `isShown`: no element above is hidden, so that a mark of its own would tell something. */
type NodePosition = { readonly isBody: boolean; readonly isShown: boolean };

function serialize(maxChars: number): string | undefined {
  const written: Written = { parts: ['<!doctype html>'], chars: 0, maxChars };
  const root = (globalThis as unknown as PageWindow).document.documentElement;
  if (root !== null) writeNode(written, root, { isBody: false, isShown: true });
  return written.chars > maxChars ? undefined : written.parts.join('');
}

function writeNode(written: Written, node: PageNode, position: NodePosition): void {
  if (written.chars > written.maxChars) return;
  const before = written.parts.length;
  if (node.nodeType === 3) written.parts.push(escapeText(node.nodeValue ?? ''));
  else if (node.nodeType === 8) written.parts.push(commentText(node.nodeValue ?? ''));
  else if (node.nodeType === 1 && !isLeftOut(node)) writeElement(written, node, position);
  if (written.parts.length === before + 1) written.chars += written.parts[before]?.length ?? 0;
}

function writeElement(written: Written, node: PageNode, position: NodePosition): void {
  const visibility = position.isBody && position.isShown && !isData(node) ? visibilityOf(node) : undefined;
  const tag = startTag(node, visibility);
  written.parts.push(tag);
  written.chars += tag.length;
  if (/^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(node.localName)) return;
  const inside = {
    isBody: position.isBody || node.localName === 'body',
    isShown: position.isShown && visibility !== 'hidden',
  };
  if (isData(node)) written.parts.push((node.textContent ?? '').replace(/<\/script/gi, '<\\/script'));
  else for (const child of childrenOf(node)) writeNode(written, child, inside);
  written.parts.push(`</${node.localName}>`);
}

function startTag(node: PageNode, visibility: string | undefined): string {
  let text = `<${node.localName}`;
  for (const { name, value } of node.attributes) {
    const isNamed = name !== 'data-fossick-visibility' && /^[^\s"'<>/=]+$/.test(name);
    if (isNamed) text += ` ${name}="${escapeText(value)}"`;
  }
  return visibility === undefined ? `${text}>` : `${text} data-fossick-visibility="${visibility}">`;
}

function isLeftOut(node: PageNode): boolean {
  return /^(?:script|style|template|noscript)$/.test(node.localName) && !isData(node);
}

function isData(node: PageNode): boolean {
  return node.localName === 'script' && /^application\/ld\+json/i.test(node.getAttribute('type') ?? '');
}

function childrenOf(node: PageNode): Iterable<PageNode> {
  if (node.shadowRoot !== null) return node.shadowRoot.childNodes;
  const assigned = node.localName === 'slot' ? (node.assignedNodes?.({ flatten: true }) ?? []) : [];
  return assigned.length > 0 ? assigned : node.childNodes;
}

/** Undefined for what is shown and does not look otherwise. */
function visibilityOf(node: PageNode): 'visible' | 'faded' | 'hidden' | undefined {
  const { display, visibility, opacity } = (globalThis as unknown as PageWindow).getComputedStyle(node);
  if (display === 'none' || visibility === 'hidden' || visibility === 'collapse') return 'hidden';
  if (Number(opacity) === 0) return 'faded';
  const looksHidden =
    node.getAttribute('hidden') !== null || /display|visibility|opacity/.test(node.getAttribute('style') ?? '');
  return looksHidden ? 'visible' : undefined;
}

/** Short ones may be marks that leave text out. */
function commentText(text: string): string {
  return text.length <= 200 && /^\s*\w/.test(text) && !text.includes('--') ? `<!--${text}-->` : '';
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
