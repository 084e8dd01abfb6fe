import { errors } from 'jose';
import { z } from 'zod';
import { IdentityProviderError } from './errors.ts';

const FoundUsers = z.array(z.object({ id: z.string(), email: z.string().optional(), requiredActions: z.array(z.string()).optional() }));

/** Parses the result of a user search. Keycloak's library returns whatever a server sends with a status below 400, for example the page of a proxy. */
export function parseUsers(found: unknown): z.output<typeof FoundUsers> {
  const { data, error } = FoundUsers.safeParse(found);
  if (!data) throw new IdentityProviderError('The admin API does not respond with a list of users', { cause: error });
  return data;
}

/** What Keycloak's library says if the response to a creation does not name the new user. */
const missingId = /^(location header|resourceId) is not found/;

/** Runs a call of Keycloak's library. Throws an IdentityProviderError if the response is not JSON, has no token or names no user. */
export async function explainResponse<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isUnusable =
      error instanceof SyntaxError || error instanceof errors.JOSEError || (error instanceof Error && missingId.test(error.message));
    throw isUnusable ? new IdentityProviderError(`The provider's response is not usable: ${error.message}`, { cause: error }) : error;
  }
}
