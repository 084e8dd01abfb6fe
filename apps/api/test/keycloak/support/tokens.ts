import { realmSettings } from '../../../../../test/keycloak/realm-file.ts';
import { testClients } from './test-clients.ts';

export interface Login {
  email: string;
  password: string;
}

/** The user in the realm file. */
export const globalUser: Login = { email: realmSettings.BOOTSTRAP_GLOBAL_EMAIL, password: realmSettings.BOOTSTRAP_GLOBAL_PASSWORD };

/** The applications in the realm file. */
export const applications = {
  'portal-app': realmSettings.PORTAL_APP_CLIENT_SECRET,
  'reports-app': realmSettings.REPORTS_APP_CLIENT_SECRET,
} as const;

/** Requests tokens. Returns the response body. Throws unless the status is 200. @param realmUrl the issuer */
export async function requestTokens(realmUrl: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${realmUrl}/protocol/openid-connect/token`, { method: 'POST', body: new URLSearchParams(form), headers });
  const body = (await response.json()) as { access_token: string; id_token?: string; refresh_token?: string };
  if (!response.ok) throw new Error(`The token endpoint responded with ${response.status}: ${JSON.stringify(body)}`);
  return body;
}

/** Returns an access token of a user, issued to a test client. */
export async function passwordGrant(
  realmUrl: string,
  { email, password }: Login,
  client: { clientId: string } = testClients.usual,
): Promise<string> {
  const grant = { grant_type: 'password', client_id: client.clientId, username: email, password };
  return (await requestTokens(realmUrl, grant)).access_token;
}

/** Returns the access token of an application. */
export async function clientCredentials(realmUrl: string, clientId: keyof typeof applications): Promise<string> {
  const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: applications[clientId] };
  return (await requestTokens(realmUrl, grant)).access_token;
}
