import type { Provider } from 'oidc-provider';
import { readForm, sendEmpty, sendPage, type Exchange } from '../http.ts';
import { actionLinkLifespan } from '../lifespans.ts';
import { pendingActions, type User } from '../users/user.ts';
import type { Authentication } from '../users/user-store.ts';
import type { Realm } from '../realm.ts';
import { actionLinkUrl, mailActions } from './account-actions.ts';
import { loginPage } from './login-page.ts';
import { messagePage } from './pages.ts';

/**
 * Serves the login form. GET shows it. POST checks e-mail and password, or takes the selected demo user, and returns to the authorization
 * request.
 */
export async function login(provider: Provider, realm: Realm, exchange: Exchange): Promise<void> {
  const { req, res, url } = exchange;
  const interaction = await provider.interactionDetails(req, res).catch(() => undefined);
  if (interaction === undefined) {
    const text = 'An error occurred, please login again through your application.';
    return sendPage(res, 400, messagePage({ title: 'We are sorry...', text }));
  }
  const completed = realm.links.takeCompleted(url.searchParams.get('completed') ?? '');
  if (completed !== undefined) return finish(provider, exchange, completed);
  const hint = interaction.params['login_hint'];
  const show = (username: string, error?: string) =>
    sendPage(
      res,
      200,
      loginPage({ action: url.pathname, username, demoUsers: realm.demoUsers, ...(error === undefined ? {} : { error }) }),
    );
  if (req.method !== 'POST') return show(typeof hint === 'string' ? hint : '');
  const form = await readForm(req);
  const field = (name: string): string => form.get(name) ?? '';
  const attempt = selectDemoUser(realm, field('demo-user')) ?? realm.users.authenticate(field('username'), field('password'));
  if (attempt.outcome !== 'accepted') {
    const error = attempt.outcome === 'wrong' ? 'Invalid username or password.' : 'Account is disabled, contact your administrator.';
    return show(field('username'), error);
  }
  const pending = pendingActions(attempt.user);
  if (pending.length > 0) return requireActions(realm, exchange, attempt.user, pending);
  await finish(provider, exchange, attempt.user.id);
}

/**
 * Returns the outcome of a click on a listed user; undefined if nobody is selected or the account is deleted. It needs no password, so it
 * works after the user has changed the password or the e-mail.
 */
function selectDemoUser(realm: Realm, selected: string): Authentication | undefined {
  const listed = realm.demoUsers.find(({ email }) => email === selected);
  const user = listed && (realm.users.find(listed.id) ?? realm.users.findByEmail(listed.email));
  return user && (user.enabled ? { outcome: 'accepted', user } : { outcome: 'disabled' });
}

/** Returns to the authorization request with a logged-in user. */
function finish(provider: Provider, { req, res }: Exchange, accountId: string): Promise<void> {
  return provider.interactionFinished(req, res, { login: { accountId } }, { mergeWithLastSubmission: false });
}

/** Sends the user to the page of the required actions, after which the login continues. VERIFY_EMAIL sends the link by mail. */
function requireActions(realm: Realm, { res, url }: Exchange, user: User, actions: string[]): void {
  const redirectUri = `${realm.publicUrl}${url.pathname}`;
  const { email } = user;
  if (email !== undefined && actions.includes('VERIFY_EMAIL')) {
    mailActions(realm, { ...user, email }, { actions, redirectUri });
    const text = `You need to verify your email address to activate your account. An email with instructions has been sent to ${email}.`;
    return sendPage(res, 200, messagePage({ title: 'Email verification', text }));
  }
  const expiresAt = Date.now() + actionLinkLifespan * 1000;
  const key = realm.links.create({ userId: user.id, actions, redirectUri, continuesLogin: true, expiresAt });
  sendEmpty(res, 303, { location: actionLinkUrl(realm, key) });
}
