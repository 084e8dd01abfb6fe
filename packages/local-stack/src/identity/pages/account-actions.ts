import { readForm, sendEmpty, sendPage, type Exchange } from '../http.ts';
import { actionLinkLifespan } from '../lifespans.ts';
import type { ActionLink } from '../users/action-links.ts';
import { pendingActions, type User } from '../users/user.ts';
import { InvalidProfileError } from '../users/user-store.ts';
import type { Realm } from '../realm.ts';
import { actionsPage, messagePage } from './pages.ts';

/** Returns the URL of a link's page. */
export function actionLinkUrl(realm: Realm, key: string): string {
  return `${realm.issuer}/login-actions/action-token?key=${key}`;
}

/**
 * Sends a mail with a link to the page on which the user completes the actions.
 * `lifespan` is in seconds and defaults to 12 hours, as in Keycloak.
 */
export function mailActions(
  realm: Realm,
  user: User & { email: string },
  link: { actions: string[]; redirectUri?: string; lifespan?: number },
): void {
  const { actions, redirectUri, lifespan = actionLinkLifespan } = link;
  const expiresAt = Date.now() + lifespan * 1000;
  const key = realm.links.create({ userId: user.id, actions, redirectUri, expiresAt });
  const expires = new Date(expiresAt).toISOString();
  realm.mailbox.deliver({ to: user.email, subject: 'Update Your Account', link: actionLinkUrl(realm, key), actions, expiresAt: expires });
}

/** Serves the page of a link. GET shows the form. POST completes the actions, confirms the e-mail and invalidates the link. */
export async function actionToken(realm: Realm, { req, res, url }: Exchange): Promise<void> {
  const key = url.searchParams.get('key') ?? '';
  const link = realm.links.find(key);
  const user = link === undefined ? undefined : realm.users.find(link.userId);
  if (link === undefined || user === undefined || !user.enabled) {
    sendPage(res, 400, messagePage({ title: 'We are sorry...', text: 'Action expired. Please continue with login now.' }));
    return;
  }
  const needs = needsOf(link, user);
  const form = { action: `${url.pathname}${url.search}`, email: user.email ?? user.username, ...needs };
  if (req.method !== 'POST') {
    sendPage(res, 200, actionsPage(form));
    return;
  }
  const error = complete(realm, user, needs, await readForm(req));
  if (error !== undefined) {
    sendPage(res, 200, actionsPage({ ...form, error }));
    return;
  }
  realm.links.remove(key);
  if (link.continuesLogin === true && link.redirectUri !== undefined) {
    const completed = realm.links.create({ ...link, actions: [] });
    sendEmpty(res, 303, { location: `${link.redirectUri}?completed=${completed}` });
    return;
  }
  const done = { title: 'Account updated', text: 'Your account has been updated.' };
  sendPage(
    res,
    200,
    messagePage(link.redirectUri === undefined ? done : { ...done, link: { href: link.redirectUri, label: 'Back to Application' } }),
  );
}

function needsOf(link: ActionLink, user: User): { password: boolean; names: boolean } {
  const actions = [...link.actions, ...pendingActions(user)];
  return { password: actions.includes('UPDATE_PASSWORD'), names: actions.includes('VERIFY_PROFILE') || actions.includes('UPDATE_PROFILE') };
}

/** Saves the form. Returns an error message, and saves nothing, if the form is invalid. */
function complete(realm: Realm, user: User, needs: { password: boolean; names: boolean }, form: URLSearchParams): string | undefined {
  const field = (name: string): string => form.get(name) ?? '';
  const [password, firstName, lastName] = [field('password-new'), field('firstName').trim(), field('lastName').trim()];
  if (needs.names && (firstName === '' || lastName === '')) return 'Please specify both names.';
  if (needs.password && password === '') return 'Please specify password.';
  if (needs.password && password !== field('password-confirm')) return "Passwords don't match.";
  try {
    realm.users.update(user, {
      emailVerified: true,
      requiredActions: [],
      ...(needs.names ? { firstName, lastName } : {}),
      ...(needs.password ? { password } : {}),
    });
  } catch (error) {
    if (error instanceof InvalidProfileError) return 'A name contains an invalid character or is too long.';
    throw error;
  }
  return undefined;
}
