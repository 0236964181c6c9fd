import type { Problem } from '../core/errors.ts';
import { about, SECRET, text, url } from './values.ts';

/** How people sign in beside mail address and password (docs/people.md). */
export const SIGN_IN_VARIABLES = {
  OIDC_ISSUER: about(
    url(['https', 'http']).optional(),
    'General',
    'Issuer of an OpenID Connect provider by which people who were invited sign in; `http` on this machine only',
    { shownDefault: 'off' },
  ),
  OIDC_CLIENT_ID: about(text().optional(), 'General', 'What the provider calls this installation', {
    shownDefault: 'none',
  }),
  OIDC_CLIENT_SECRET: about(text().optional(), 'General', 'Its secret; none for a public client', {
    ...SECRET,
    shownDefault: 'none',
  }),
  OIDC_NAME: about(text().default('Single sign-on'), 'General', 'Name of the provider on the page that signs in'),
};

type OidcVariables = {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
};

/** What these variables ask of each other. */
export function oidcProblems({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id }: OidcVariables): readonly Problem[] {
  return issuer !== undefined && id === undefined
    ? [{ path: 'OIDC_CLIENT_ID', message: 'must be set with OIDC_ISSUER' }]
    : [];
}
