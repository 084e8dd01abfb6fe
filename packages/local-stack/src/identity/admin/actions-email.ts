import { z } from 'zod';
import { redirectAllowed } from '../clients.ts';
import { sendEmpty, sendJson, type Exchange } from '../http.ts';
import { mailActions } from '../pages/account-actions.ts';
import { knownActions, type User } from '../users/user.ts';
import type { Realm } from '../realm.ts';
import type { AdminAccess } from './admin-access.ts';
import { readJson, unexpectedJson } from './json-body.ts';

const actionList = z.array(z.string());
const mailServerFailed =
  'Failed to send execute actions email: Error when attempting to send the email to the server. More information is available in the server log.';

/**
 * Serves PUT `/users/{id}/execute-actions-email` (body: the actions; query: client_id, redirect_uri, lifespan in seconds).
 * Responds with 204 when the mail is in the mailbox, 400 for requests that Keycloak refuses, and 500 for a fault of the mail server.
 */
export async function executeActionsEmail(realm: Realm, exchange: Exchange, user: User, access: AdminAccess): Promise<void> {
  const { res, url } = exchange;
  const lifespan = Number(url.searchParams.get('lifespan') ?? 0);
  if (!Number.isInteger(lifespan)) return sendJson(res, 404, { error: 'HTTP 404 Not Found' });
  const body = await readJson(exchange);
  if (body === undefined) return;
  const parsed = actionList.safeParse(body.value);
  if (!parsed.success) return sendJson(res, 400, unexpectedJson);
  if (!access.manage) return sendJson(res, 403, { error: 'HTTP 403 Forbidden' });
  const actions = parsed.data;
  const redirectUri = url.searchParams.get('redirect_uri') ?? undefined;
  const { email } = user;
  if (email === undefined) return sendJson(res, 400, { errorMessage: 'User email missing' });
  const refusal = refusalOf(realm, { user, actions, clientId: url.searchParams.get('client_id') ?? undefined, redirectUri });
  if (refusal !== undefined) return sendJson(res, 400, { errorMessage: refusal });
  if (realm.faults.mail === 'hang') return;
  if (realm.faults.mail !== 'none') return sendJson(res, 500, { errorMessage: mailServerFailed });
  mailActions(
    realm,
    { ...user, email },
    { actions, ...(redirectUri === undefined ? {} : { redirectUri }), ...(lifespan > 0 ? { lifespan } : {}) },
  );
  sendEmpty(res, 204);
}

interface MailRequest {
  user: User;
  actions: string[];
  clientId: string | undefined;
  redirectUri: string | undefined;
}

/** Returns Keycloak's error message for an invalid request. Checks in Keycloak's order. */
function refusalOf(realm: Realm, { user, actions, clientId, redirectUri }: MailRequest): string | undefined {
  if (!user.enabled) return 'User is disabled';
  if (redirectUri !== undefined && clientId === undefined) return 'Client id missing';
  const client = realm.clients.get(clientId ?? '');
  if (clientId !== undefined && client === undefined) return "Client doesn't exist";
  if (redirectUri !== undefined && client !== undefined && !redirectAllowed(client, redirectUri)) return 'Invalid redirect uri.';
  if (actions.some((action) => !knownActions.includes(action))) return 'Provided invalid required actions';
  return undefined;
}
