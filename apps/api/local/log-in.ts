import { demoPassword } from './people.ts';

/** Returns the address of the token endpoint. @param realmUrl realm of the embedded identity provider */
export const tokenUrlOf = (realmUrl: string): string => `${realmUrl}/protocol/openid-connect/token`;

/** Returns an access token of a demo user. @param realmUrl realm of the embedded identity provider  @param username e-mail address */
export async function logIn(realmUrl: string, username: string): Promise<string> {
  const grant = { grant_type: 'password', client_id: 'web', username, password: demoPassword };
  const response = await fetch(tokenUrlOf(realmUrl), { method: 'POST', body: new URLSearchParams(grant) });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (!token) throw new Error(`The embedded identity provider issued no token (status ${response.status})`);
  return token;
}
