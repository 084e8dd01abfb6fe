import { decodeJwt, type JWTPayload } from 'jose';
import { z } from 'zod';
import { clockToleranceSeconds } from '@profile-service/auth';

/** Why the service cannot use the provider's admin API, or cannot judge the provider's tokens. */
export type IdentityAccessProblem = 'credentials' | 'roles' | 'clock' | 'status';

/** The identity provider rejects this service's client, or its clock differs from this machine's. */
export class IdentityAccessError extends Error {
  override readonly name = 'IdentityAccessError';
  readonly problem: IdentityAccessProblem;

  constructor(problem: IdentityAccessProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

export interface IdentityAccessCheckOptions {
  /** The URL of the realm, `…/realms/<realm>`, as the service reaches it. */
  realmUrl: string;
  clientId: string;
  clientSecret: string;
}

/** Time limit of one request, in milliseconds. */
const timeoutMs = 2_000;
/** How long a success counts, in milliseconds. */
const validMs = 60_000;
/** The role in `realm-management` that the admin API calls of this service need. It includes the right to look up users (IDENTITY-2). */
const requiredRole = 'manage-users';

const TokenResponse = z.object({ access_token: z.string() });
/** Users as the admin API lists them. `access.manage`: whether the caller may change the user. */
const ListedUsers = z.array(z.object({ access: z.object({ manage: z.boolean() }).optional() }));
const AdminRoles = z.object({ resource_access: z.object({ 'realm-management': z.object({ roles: z.array(z.string()) }) }) });

/**
 * Creates a check of what user creation needs at the provider: the secret of the service's client and the role of its service account. It compares the clocks
 * too. It only reads (D-172). It uses `fetch`, because Keycloak's library takes 9 MB of memory.
 * @returns a function that rejects with an IdentityAccessError, or with the error of the connection; a success counts for a minute
 */
export function createIdentityAccessCheck(options: IdentityAccessCheckOptions): () => Promise<void> {
  let succeededAt = -Infinity;
  return async () => {
    if (performance.now() - succeededAt < validMs) return;
    await checkAccess(options);
    succeededAt = performance.now();
  };
}

async function checkAccess({ realmUrl, clientId, clientSecret }: IdentityAccessCheckOptions): Promise<void> {
  const token = await getToken(`${realmUrl}/protocol/openid-connect/token`, clientId, clientSecret);
  const claims = decodeJwt(token);
  checkClock(claims);
  const roles = AdminRoles.safeParse(claims).data?.resource_access['realm-management'].roles;
  const mayManage = await readUserAccess(realmUrl, token);
  // Without a listed user, the token decides. A lightweight token has no roles: then nothing is known, and nothing is reported.
  if (!(mayManage ?? roles?.includes(requiredRole) ?? true))
    throw new IdentityAccessError('roles', `The service account of the client ${clientId} lacks ${requiredRole}`);
}

async function getToken(url: string, clientId: string, clientSecret: string): Promise<string> {
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(credentials), signal: AbortSignal.timeout(timeoutMs) });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status === 400 || response.status === 401)
    throw new IdentityAccessError('credentials', `The token endpoint rejects the client ${clientId}: ${JSON.stringify(body)}`);
  if (!response.ok) throw new IdentityAccessError('status', `The token endpoint responds with status ${response.status}`);
  return TokenResponse.parse(body).access_token;
}

/** The token was issued now, by the provider's clock. */
function checkClock({ iat }: JWTPayload): void {
  const difference = iat === undefined ? 0 : Math.round(iat - Date.now() / 1000);
  if (Math.abs(difference) > clockToleranceSeconds)
    throw new IdentityAccessError('clock', `The provider's clock is ${Math.abs(difference)} s ${difference > 0 ? 'ahead' : 'behind'}`);
}

/**
 * Lists one user. This also proves that the admin API accepts the token.
 * @returns whether the service account may manage the user; undefined if the realm has no user, or if the account may see none
 */
async function readUserAccess(realmUrl: string, token: string): Promise<boolean | undefined> {
  const url = `${realmUrl.replace('/realms/', '/admin/realms/')}/users?max=1&briefRepresentation=true`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(timeoutMs) });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status === 403) return false;
  if (!response.ok) throw new IdentityAccessError('status', `The admin API responds with status ${response.status}`);
  return ListedUsers.parse(body)[0]?.access?.manage;
}
