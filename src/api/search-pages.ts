import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountSnapshot } from '../accounts/engine-snapshot.ts';
import { PAGE_DEFAULTS, pagePathOf, publishedEngines } from '../accounts/hosted-page.ts';
import { AppError } from '../core/errors.ts';
import { escapeHtml } from '../core/escape-html.ts';
import type { Engine } from '../core/records.ts';
import { colourSchemeOf, themeSheet } from '../core/theme-properties.ts';
import { siteTokenOf } from './auth.ts';
import { sendTagged, tagged } from './entity-tag.ts';
import { pageSettingsOf } from './page-settings.ts';

export type SearchPageDeps = {
  readonly accounts: Pick<AccountSnapshot, 'listEngines'>;
};

type PageRequest = FastifyRequest<{ Params: { path?: string }; Querystring: Readonly<Record<string, unknown>> }>;

const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable';

/** Hosted search pages of the engines that are published, each with the style sheet of its theme. */
export function addSearchPages(app: FastifyInstance, deps: SearchPageDeps, webFolder: string): void {
  const sendPage = async (request: PageRequest, reply: FastifyReply) => {
    const engine = findPage(await deps.accounts.listEngines(), request);
    // Read anew each time: a page is small, and a new build shows at once.
    const template = await readFile(join(webFolder, 'search/index.html'), 'utf8');
    reply.headers({
      'Content-Security-Policy': PAGE_POLICY,
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Language',
    });
    const languages = acceptedLanguages(request.headers['accept-language']);
    return reply.type('text/html; charset=utf-8').send(writePage(template, engine, languages));
  };
  app.get('/', async (request: PageRequest, reply) => {
    const { engine: wanted, ...rest } = request.query;
    if (wanted === undefined) return sendPage(request, reply);
    const engine = publishedAt(await deps.accounts.listEngines(), request).find(({ id }) => String(id) === wanted);
    if (engine === undefined) throw noPage();
    const query = new URLSearchParams(Object.entries(rest).flatMap(([name, value]) => pairsOf(name, value)));
    return reply.redirect(`${addressOf(engine)}${query.size > 0 ? `?${query}` : ''}`, 302);
  });
  for (const path of ['/demo', '/s/:path', '/s/:path/']) app.get(path, sendPage);
  app.get('/s/:path/theme.css', async (request: PageRequest, reply) => {
    const sheet = sheetOf(findPage(await deps.accounts.listEngines(), request));
    const isOfAddress = request.query['v'] === versionOf(sheet);
    reply.header('Cache-Control', isOfAddress ? KEPT_FOR_GOOD : 'no-cache');
    return sendTagged(request, reply, tagged(sheet, 'text/css; charset=utf-8'));
  });
}

/** @throws AppError `route.not-found` for what is not published, not known, or of another host name */
function findPage(engines: readonly Engine[], request: PageRequest): Engine {
  const shown = publishedAt(engines, request);
  const { path } = request.params;
  const engine = path === undefined ? shown[0] : shown.find((candidate) => pagePathOf(candidate) === path);
  if (engine === undefined) throw noPage();
  return engine;
}

/** A host name of an engine shows that engine alone; everywhere else all published ones can be opened. */
export function publishedAt(engines: readonly Engine[], { headers }: FastifyRequest): readonly Engine[] {
  const published = publishedEngines(engines);
  const host = hostNameOf(headers.host);
  const ofHost = published.find(({ settings }) => settings.page?.hosts.includes(host));
  return ofHost === undefined ? published : [ofHost];
}

export function noPage(): AppError {
  return new AppError('route.not-found', 'No search page is published here');
}

/** `Search.Example.com.:8080` → `search.example.com` */
function hostNameOf(header: string | undefined): string {
  return (header ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

function pairsOf(name: string, value: unknown): [string, string][] {
  return [value].flat().flatMap((single) => (typeof single === 'string' ? [[name, single]] : []));
}

function addressOf(engine: Engine): string {
  return `/s/${pagePathOf(engine)}`;
}

/** Where an engine has a host name, its page belongs there. */
function canonicalAddress(engine: Engine): string {
  const [host] = engine.settings.page?.hosts ?? [];
  return host === undefined ? addressOf(engine) : `//${host}/`;
}

const MAX_LANGUAGES = 20;

/** Languages of `Accept-Language`, best first, in their canonical form. RFC 9110 12.5.4. */
function acceptedLanguages(header = ''): readonly string[] {
  const ranges = header.split(',', MAX_LANGUAGES).map((range) => {
    const [code = '', weight = ''] = range.split(';');
    const [, quality = '1'] = /^\s*q=([\d.]+)/.exec(weight) ?? [];
    return { code: code.trim(), quality: Number(quality) };
  });
  return ranges
    .filter(({ code, quality }) => quality > 0 && isLanguage(code))
    .sort((a, b) => b.quality - a.quality)
    .flatMap(({ code }) => Intl.getCanonicalLocales(code));
}

function isLanguage(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length === 1;
  } catch {
    return false;
  }
}

/**
 * Nothing but what the page needs: scripts and styles of this host. Pictures of documents, logos and banners come from
 * any host; banners have style attributes, too (contract 2.10). The admin pages show it in a frame; no other site may.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: https:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * The built page with what it needs to search and look as its engine wants; `languages` are those of the visitor, best
 * first.
 */
export function writePage(template: string, engine: Engine, languages: readonly string[]): string {
  const page = engine.settings.page ?? PAGE_DEFAULTS;
  const { logo } = page.theme;
  const settings = pageSettingsOf(engine, languages);
  const { customerId, id: engineId } = engine;
  const written = { siteKey: siteTokenOf(engine), customerId, engineId, ...settings };
  const title = page.title ?? engine.name;
  const values: Readonly<Record<string, string>> = {
    TITLE: title,
    DESCRIPTION: page.hint ?? title,
    COLOR_SCHEME: colourSchemeOf(page.theme),
    CANONICAL: canonicalAddress(engine),
    THEME: themeAddress(engine),
    PAGE_SETTINGS: JSON.stringify(written),
  };
  const icon = (usual: string) => (logo === undefined ? usual : `<link rel="icon" href="${escapeHtml(logo)}" />`);
  return template
    .replace(/<html [^>]*>/, `<html lang="${settings.language}" dir="${settings.direction}">`)
    .replace(/<link rel="icon"[^>]*>/, icon)
    .replace(/%([A-Z_]+)%/g, (found, name: string) => {
      const value = values[name];
      return value === undefined ? found : escapeHtml(value);
    });
}

function themeAddress(engine: Engine): string {
  return `${addressOf(engine)}/theme.css?v=${versionOf(sheetOf(engine))}`;
}

function sheetOf({ settings: { page = PAGE_DEFAULTS } }: Engine): string {
  return themeSheet(page.theme);
}

function versionOf(sheet: string): string {
  return createHash('sha256').update(sheet).digest('base64url').slice(0, 16);
}
