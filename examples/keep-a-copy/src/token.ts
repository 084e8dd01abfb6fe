import type { TokenSource } from '@profile-service/client';

export interface PasswordOptions {
  /** URL of the token endpoint. */
  url: string;
  username: string;
  password: string;
}

/** Returns the token of a user, and a new one after the service has rejected it. Only the demo allows the password grant. */
export function passwordToken(options: PasswordOptions): TokenSource {
  let token: string | undefined;
  return async ({ rejected }) => {
    if (token === undefined || token === rejected) token = await issueToken(options);
    return token;
  };
}

async function issueToken({ url, username, password }: PasswordOptions): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'password', client_id: 'web', username, password });
  const response = await fetch(url, { method: 'POST', body: form });
  if (!response.ok) throw new Error(`No token: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
