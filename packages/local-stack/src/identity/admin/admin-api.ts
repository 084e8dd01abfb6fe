import { sendEmpty, sendJson, type Exchange } from '../http.ts';
import { matchesQuery } from '../users/user-search.ts';
import { defaultRoles, type User } from '../users/user.ts';
import { InvalidProfileError, UserExistsError } from '../users/user-store.ts';
import type { Realm } from '../realm.ts';
import { executeActionsEmail } from './actions-email.ts';
import { type AdminAccess, adminAccess } from './admin-access.ts';
import { readJson } from './json-body.ts';
import { parseUser, representOneUser, representUser, type UserChange } from './user-representation.ts';

const defaultMax = 100;

/**
 * Serves `/admin/realms/{realm}/users…` like Keycloak's admin API, for bearer tokens with roles of realm-management. As in Keycloak, the path, the method and
 * the body are checked before the roles.
 */
export async function adminApi(realm: Realm, exchange: Exchange): Promise<void> {
  const { req, res, url } = exchange;
  const access = await adminAccess(realm, req.headers.authorization);
  const [, , , realmName, collection, id, action, ...rest] = url.pathname.replace(/\/$/, '').split('/');
  if (access === undefined) sendJson(res, 401, { error: 'HTTP 401 Unauthorized' });
  else if (realmName !== realm.name) sendJson(res, 404, { error: 'Realm not found.' });
  else if (collection !== 'users' || rest.length > 0) notFound(exchange);
  else if (id === undefined) await users(realm, exchange, access);
  else if (id === 'count' && req.method === 'GET') count(realm, exchange, access);
  else await oneUser(realm, exchange, { id, action, access });
}

async function users(realm: Realm, exchange: Exchange, access: AdminAccess): Promise<void> {
  const { req, res } = exchange;
  if (req.method === 'GET') return list(realm, exchange, access);
  if (req.method !== 'POST') return sendJson(res, 405, { error: 'HTTP 405 Method Not Allowed' });
  return withBody(exchange, access, ({ username, ...change }) => {
    if (!(change.email ?? username)) return sendJson(res, 400, { errorMessage: 'User name is missing' });
    if (!change.email) {
      return sendJson(res, 400, { field: 'email', errorMessage: 'error-user-attribute-required', params: ['email'] });
    }
    const defaults = { enabled: false, emailVerified: false, requiredActions: [], ...defaultRoles(realm.name) };
    const user = realm.users.create({ ...defaults, ...change, email: change.email, username: change.email });
    sendEmpty(res, 201, { location: `${realm.publicUrl}/admin/realms/${realm.name}/users/${user.id}` });
  });
}

function list(realm: Realm, exchange: Exchange, { view, manage }: AdminAccess): void {
  const query = exchange.url.searchParams;
  const [first, max] = [Number(query.get('first') ?? 0), Number(query.get('max') ?? defaultMax)];
  if (!Number.isInteger(first) || !Number.isInteger(max)) return notFound(exchange);
  if (!view) return forbidden(exchange);
  const start = Math.max(first, 0);
  const page = matching(realm, query).slice(start, max < 0 ? undefined : start + max);
  sendJson(
    exchange.res,
    200,
    page.map((user) => representUser(user, manage, query.get('briefRepresentation') === 'true')),
  );
}

function count(realm: Realm, exchange: Exchange, { view }: AdminAccess): void {
  if (view) sendJson(exchange.res, 200, matching(realm, exchange.url.searchParams).length);
  else forbidden(exchange);
}

function matching(realm: Realm, query: URLSearchParams): User[] {
  return realm.users.list((user) => matchesQuery(user, query));
}

interface UserRequest {
  id: string;
  action: string | undefined;
  access: AdminAccess;
}

async function oneUser(realm: Realm, exchange: Exchange, { id, action, access }: UserRequest): Promise<void> {
  const { req, res } = exchange;
  const user = realm.users.find(id);
  if (user === undefined) return access.view ? sendJson(res, 404, { error: 'User not found' }) : forbidden(exchange);
  if (action === 'execute-actions-email' && req.method === 'PUT') return executeActionsEmail(realm, exchange, user, access);
  if (action !== undefined) return notFound(exchange);
  if (req.method === 'GET') return access.view ? sendJson(res, 200, representOneUser(user, access.manage)) : forbidden(exchange);
  if (req.method === 'DELETE') {
    if (!access.manage) return forbidden(exchange);
    realm.users.delete(id);
    return sendEmpty(res, 204);
  }
  if (req.method !== 'PUT') return notFound(exchange);
  return withBody(exchange, access, ({ username, ...change }) => {
    if (change.email === '') return sendJson(res, 400, { errorMessage: 'User name is missing' });
    realm.users.update(user, change.email === undefined ? change : { ...change, username: change.email });
    sendEmpty(res, 204);
  });
}

/** Reads a UserRepresentation and passes its content to `use`, if the caller may manage users. Converts errors to Keycloak's responses. */
async function withBody(exchange: Exchange, { manage }: AdminAccess, use: (change: UserChange) => void): Promise<void> {
  const { res } = exchange;
  const body = await readJson(exchange);
  if (body === undefined) return;
  const parsed = parseUser(body.value);
  if ('refusal' in parsed) return sendJson(res, 400, parsed.refusal);
  if (!manage) return forbidden(exchange);
  try {
    use(parsed.change);
  } catch (error) {
    if (error instanceof UserExistsError) sendJson(res, 409, { errorMessage: error.message });
    else if (error instanceof InvalidProfileError) sendJson(res, 400, profileErrors(error));
    else throw error;
  }
}

/** Keycloak's body: the violation itself, or a list if there are several. */
function profileErrors({ violations }: InvalidProfileError): unknown {
  return violations.length === 1 ? violations[0] : { errors: violations };
}

function notFound({ res }: Exchange): void {
  sendJson(res, 404, { error: 'HTTP 404 Not Found' });
}

function forbidden({ res }: Exchange): void {
  sendJson(res, 403, { error: 'HTTP 403 Forbidden' });
}
