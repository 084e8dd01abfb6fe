import { createHash, randomBytes } from 'node:crypto';
import { createProfileClient, type ProfileClient } from '@profile-service/client';
import { Browser } from '../../test/page-browser.ts';

/** The settings of the project that the steps need, from its file. */
export interface ClientSettings {
  PUBLIC_URL: string;
  IDENTITY_URL: string;
  PORTAL_APP_CLIENT_SECRET: string;
  BOOTSTRAP_GLOBAL_EMAIL: string;
  BOOTSTRAP_GLOBAL_NAME: string;
  BOOTSTRAP_GLOBAL_PASSWORD: string;
  SMTP_PASSWORD: string;
}

const endpoint = (settings: ClientSettings, name: string) => `${settings.IDENTITY_URL}/realms/profile/protocol/openid-connect/${name}`;

/** Logs the first Global user in on Keycloak's pages, with authorization code and PKCE. Returns the access token. */
export async function logIn(settings: ClientSettings): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const redirect = `${settings.PUBLIC_URL}/docs`;
  const parameters = {
    client_id: 'profile-web',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: redirect,
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  };
  const browser = new Browser(settings.IDENTITY_URL);
  const form = await browser.open(`${endpoint(settings, 'auth')}?${new URLSearchParams(parameters).toString()}`);
  const page = await browser.submit(form, { username: settings.BOOTSTRAP_GLOBAL_EMAIL, password: settings.BOOTSTRAP_GLOBAL_PASSWORD });
  const code = new URL(page.url).searchParams.get('code');
  if (!code) throw new Error(`The login of ${settings.BOOTSTRAP_GLOBAL_EMAIL} ended at ${page.url}`);
  return getToken(settings, {
    grant_type: 'authorization_code',
    client_id: 'profile-web',
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
  });
}

/** Returns the access token of the application portal-app. */
export const portalToken = (settings: ClientSettings): Promise<string> =>
  getToken(settings, { grant_type: 'client_credentials', client_id: 'portal-app', client_secret: settings.PORTAL_APP_CLIENT_SECRET });

async function getToken(settings: ClientSettings, parameters: Record<string, string>): Promise<string> {
  const response = await fetch(endpoint(settings, 'token'), { method: 'POST', body: new URLSearchParams(parameters) });
  const body = (await response.json()) as { access_token?: string };
  if (!body.access_token) throw new Error(`The token endpoint responded with ${response.status} ${JSON.stringify(body)}`);
  return body.access_token;
}

/** Creates the typed client for a token. It repeats no request, so that every failure is seen. */
export const clientOf = (settings: ClientSettings, token: string): ProfileClient =>
  createProfileClient({ url: settings.PUBLIC_URL, token: () => token, maxAttempts: 1 });
