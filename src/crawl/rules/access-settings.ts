import { z } from 'zod';
import { secretText } from '../../core/seal-secrets.ts';
import { selector } from './content-settings.ts';

const MAX_MEMBERS = 50;

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** RFC 9110 section 5.5, without the obsolete bytes from 128 on. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
/** RFC 6265 section 4.1.1, and the characters that servers use all the same. */
const COOKIE_VALUE = /^[^\s;,\p{Cc}]*$/u;

const few = (members: object) => Object.keys(members).length <= MAX_MEMBERS;
const FEW = { message: `must be at most ${MAX_MEMBERS}` };
/** Made by the client itself, or given by a setting of their own. */
const NOT_CHOSEN = new Set(
  (
    'host connection content-length transfer-encoding accept-encoding cookie upgrade te trailer expect keep-alive ' +
    'proxy-authorization proxy-connection if-none-match if-modified-since'
  ).split(' '),
);

const headerName = z
  .string()
  .regex(TOKEN, 'must be the name of a header')
  .refine((name) => !NOT_CHOSEN.has(name.toLowerCase()), { message: 'is a header that cannot be chosen' });

const MINUTES_PER_WEEK = 10_080;

const basicAuth = z.strictObject({
  username: z
    .string()
    .max(200)
    .regex(/^[^:\p{Cc}]*$/u, 'must have no colon'),
  password: secretText(() => true, 'must be text'),
});

const login = z.strictObject({
  url: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
      message: 'must be an absolute http or https URL',
    })
    .describe('Page with the form, of a seed or domain.'),
  fields: z
    .record(
      z.string().min(1).max(200),
      secretText(() => true, 'must be text'),
    )
    .refine((fields) => few(fields) && Object.keys(fields).length > 0, { message: `must be 1 to ${MAX_MEMBERS}` })
    .describe('Name of an input → what is typed there.'),
  success: z
    .strictObject({
      selector: selector.optional().describe('What the page has.'),
      cookie: z.string().regex(TOKEN, 'must be the name of a cookie').optional().describe('What is set.'),
      url: z.string().min(1).max(2_048).optional().describe('Beginning of the URL that it ends at.'),
    })
    .prefault({})
    .describe('What the answer to the form must have; without any: no form with a password.'),
  everyMinutes: z.int().min(1).max(MINUTES_PER_WEEK).default(60).describe('How often the form is filled in again.'),
});

/** How a crawler gets in: sent to the origins of its seeds and domains only. */
export const ACCESS_SETTINGS = {
  headers: z
    .record(headerName, secretText(isHeaderValue, 'must be text without line breaks'))
    .refine(few, FEW)
    .default({})
    .meta({ description: 'Sent with every fetch.', examples: [{ 'X-Crawler': 'fossick' }] }),
  cookies: z
    .record(
      z.string().regex(TOKEN, 'must be the name of a cookie'),
      secretText(isCookieValue, 'must be text without spaces, commas and semicolons'),
    )
    .refine(few, FEW)
    .default({})
    .meta({ description: 'Sent with every fetch.', examples: [{ consent: 'yes' }] }),
  basicAuth: basicAuth.optional().meta({
    description: 'User and password of the site.',
    examples: [{ username: 'crawler', password: { fromEnv: 'SITE_PASSWORD' } }],
  }),
  login: login.optional().meta({
    description: 'A form that lets the crawler in.',
    examples: [
      {
        url: 'https://www.example.com/login',
        fields: { user: 'crawler', password: { fromEnv: 'SITE_PASSWORD' } },
        success: { cookie: 'session' },
      },
    ],
  }),
  proxy: secretText(isProxy, 'must be http:// or https:// with a host, and no path')
    .optional()
    .meta({
      description: 'Forward proxy; the addresses of pages are judged all the same.',
      examples: ['http://proxy.example.com:3128'],
    }),
  tls: z
    .strictObject({
      verify: z.boolean().default(true).describe('Whether certificates must be valid.'),
      ca: z
        .array(z.string().regex(/-----BEGIN CERTIFICATE-----/, 'must be a certificate in PEM form'))
        .max(MAX_MEMBERS)
        .default([])
        .meta({ description: 'More roots, PEM.', examples: [['-----BEGIN CERTIFICATE-----\n…']] }),
    })
    .prefault({}),
};

export function isHeaderValue(text: string): boolean {
  return HEADER_VALUE.test(text);
}

export function isCookieValue(text: string): boolean {
  return COOKIE_VALUE.test(text);
}

export function isProxy(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return false;
  return url.pathname === '/' && url.search === '' && url.hash === '';
}
