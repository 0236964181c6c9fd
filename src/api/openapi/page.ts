import { createHash } from 'node:crypto';
import { escapeHtml } from '../../core/escape-html.ts';
import type { OpenApiDocument, OperationObject } from './document.ts';
import type { JsonSchema } from './json-schema.ts';
import { memberTable, prose, schemaAnchor, typeText } from './page-schema.ts';

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d4d9d6, #3a4340); --quiet: light-dark(#4d5754, #a9b4b0);
  --soft: light-dark(#f2f5f3, #1d2422); --link: light-dark(#0b5d50, #7fd6c4); --mark: light-dark(#e2f1ed, #16342e); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; background: light-dark(#fff, #131817); color: light-dark(#1a201e, #e4eae7); }
a { color: var(--link); }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: light-dark(#fff, #131817); }
code { font: .875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.page { display: grid; grid-template-columns: 19rem minmax(0, 1fr); max-width: 88rem; margin: 0 auto; }
nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 1.5rem 1rem; border-right: 1px solid var(--line); }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; font-size: .875rem; }
nav li { margin: .375rem 0; }
nav h2 { margin: 1rem 0 .25rem; font-size: .875rem; color: var(--quiet); }
main { padding: 1.5rem clamp(1rem, 3vw, 2.5rem) 6rem; min-width: 0; }
h1, h2, h3, h4 { line-height: 1.3; }
main > section > h2 { margin-top: 3rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
article { margin: 2rem 0; padding: .25rem 1rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
article:target { border-color: var(--link); background: var(--mark); }
h4 { margin: 1rem 0 .25rem; font-size: .9375rem; }
.call { padding: .5rem .75rem; background: var(--soft); border-radius: .25rem; }
.quiet { color: var(--quiet); }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; overflow-wrap: anywhere; table-layout: fixed; }
th:first-child { width: 28%; }
th, td { padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: normal; }
thead th { color: var(--quiet); }
@media (max-width: 52rem) { .page { display: block; } nav { position: static; max-height: none; border-right: 0; } }
@media print { nav { display: none; } .page { display: block; } }
`;

/** Nothing but the one style of the page. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Placed = { readonly method: string; readonly path: string; readonly operation: OperationObject };

/**
 * The document as a page that needs no script and no other file, in pieces: one for each operation and each schema, so
 * that making it can give way.
 */
export function* docsPage(document: OpenApiDocument): Generator<string> {
  const { info, tags, components } = document;
  const schemas = Object.entries(components.schemas as Readonly<Record<string, JsonSchema>>);
  const byTag = Map.groupBy(placed(document), ({ operation }) => operation.tags[0]);
  const sections = tags.map((tag) => ({ ...tag, operations: newestFirst(byTag.get(tag.name) ?? []) }));
  const title = `${escapeHtml(String(info['title']))} ${escapeHtml(String(info['version']))}`;
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: HTTP interface</title><style>${STYLE}</style></head>
<body><a class="skip" href="#content">To the content</a><div class="page">
<nav aria-label="Contents"><ul><li><a href="#content">Rules</a></li><li><a href="#schemas">Named schemas</a></li></ul>
${sections.map(contents).join('\n')}</nav>
<main id="content" tabindex="-1"><h1>${title}: HTTP interface</h1>${paragraphs(String(info['description']))}
<p>For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI ${escapeHtml(document.openapi)}).</p>
${credentials(components.securitySchemes)}`;
  for (const { name, description, operations } of sections) {
    yield `<section aria-labelledby="${anchorOf(name)}"><h2 id="${anchorOf(name)}">${escapeHtml(name)}</h2><p>${prose(description)}</p>`;
    for (const each of operations) yield article(each, components);
    yield '</section>';
  }
  yield '<section aria-labelledby="schemas"><h2 id="schemas">Named schemas</h2>';
  for (const [name, schema] of schemas) {
    yield `<article id="${schemaAnchor(name)}"><h3>${escapeHtml(name)}</h3>${memberTable(schema)}</article>`;
  }
  yield '</section></main></div></body></html>\n';
}

function placed({ paths }: OpenApiDocument): readonly Placed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function isOld({ path }: Placed): boolean {
  return path.startsWith('/api/v3/');
}

/** Where a path has two versions, the newer one stands first. */
function newestFirst(operations: readonly Placed[]): readonly Placed[] {
  return [...operations.filter((each) => !isOld(each)), ...operations.filter(isOld)];
}

function contents({ name, operations }: { readonly name: string; readonly operations: readonly Placed[] }): string {
  const present = new Set(operations.filter((each) => !isOld(each)).map(({ operation }) => operation.summary));
  const items = operations.map((each) => {
    const { operationId, summary } = each.operation;
    return `<li><a href="#${operationId}">${prose(summary)}${isOld(each) && present.has(summary) ? ' (v3)' : ''}</a></li>`;
  });
  return `<h2>${escapeHtml(name)}</h2><ul>${items.join('')}</ul>`;
}

function credentials(schemes: JsonSchema): string {
  const rows = Object.entries(schemes as Readonly<Record<string, { readonly description: string }>>);
  const items = rows.map(
    ([name, { description }]) => `<li><strong>${escapeHtml(name)}</strong>: ${prose(description)}</li>`,
  );
  return `<h2 id="credentials">Credentials</h2><ul>${items.join('')}</ul>`;
}

function article({ method, path, operation }: Placed, components: OpenApiDocument['components']): string {
  const { operationId, summary, description, security, parameters, requestBody, responses } = operation;
  const schemes = security.flatMap((scheme) => Object.keys(scheme)).join(' or ');
  const body = contentOf(requestBody);
  return `<article id="${operationId}"><h3>${prose(summary)}</h3>
<p class="call"><strong>${method}</strong> <code>${escapeHtml(path)}</code> <a href="#${operationId}" aria-label="Link to ${operationId}">#</a></p>
${description === undefined ? '' : `<p>${prose(description)}</p>`}
<p class="quiet">Takes: ${schemes === '' ? 'anything or nothing' : escapeHtml(schemes)}.</p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${parameterTable(parameters, components)}`}
${body === undefined ? '' : `<h4>Body${requestBody?.['required'] === true ? '' : ' (optional)'}</h4>${memberTable(body)}`}
<h4>Answers</h4>${answers(responses, components)}</article>`;
}

function parameterTable(parameters: readonly JsonSchema[], components: OpenApiDocument['components']): string {
  const shown = parameters.map((parameter) => resolved(parameter, components));
  const members = shown.map((parameter) => {
    const schema = (parameter['schema'] ?? contentOf(parameter) ?? {}) as JsonSchema;
    const about = [parameter['description'], `In the ${parameter['in'] === 'path' ? 'path' : 'query string'}.`];
    return [String(parameter['name']), { ...schema, description: about.filter(Boolean).join(' ') }];
  });
  const required = shown.filter((parameter) => parameter['required'] === true).map((parameter) => parameter['name']);
  return memberTable({ type: 'object', properties: Object.fromEntries(members), required });
}

function answers(responses: OperationObject['responses'], components: OpenApiDocument['components']): string {
  const items = Object.entries(responses).map(([status, response]) => {
    const { description, headers } = resolved(response, components);
    const isError = response['$ref'] !== undefined;
    const schema = contentOf(response);
    const names = Object.keys((headers ?? {}) as object).map((name) => `<code>${escapeHtml(name)}</code>`);
    const also = isError || names.length === 0 ? '' : ` Headers: ${names.join(', ')}.`;
    const type = schema === undefined || isError ? '' : ` ${typeText(schema)}`;
    return `<li><strong>${status === 'default' ? 'else' : status}</strong> ${prose(String(description))}${also}${type}</li>`;
  });
  return `<ul>${items.join('')}</ul>`;
}

function resolved(part: JsonSchema, components: OpenApiDocument['components']): JsonSchema {
  const { $ref } = part;
  if (typeof $ref !== 'string') return part;
  const [, , kind = '', name = ''] = $ref.split('/');
  return (components as Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>)[kind]?.[name] ?? part;
}

/** The schema of the first media type. */
function contentOf(part: JsonSchema | undefined): JsonSchema | undefined {
  const [first] = Object.values(
    (part?.['content'] ?? {}) as Readonly<Record<string, { readonly schema?: JsonSchema }>>,
  );
  return first?.schema;
}

/** Lines that start with a dash are a list. */
function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((block) => {
      if (!block.startsWith('- ')) return `<p>${prose(block)}</p>`;
      const items = block.split('\n').map((line) => `<li>${prose(line.replace(/^- /, ''))}</li>`);
      return `<ul>${items.join('')}</ul>`;
    })
    .join('');
}

function anchorOf(name: string): string {
  return `section-${name.toLowerCase().replace(/[^a-z]+/g, '-')}`;
}
