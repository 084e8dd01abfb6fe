import type { Mail } from './mail.ts';
import { alert, layout } from './layout.ts';
import { html, Markup } from './markup.ts';

/** The form of required actions: a new password, names, or only a button that confirms the e-mail. */
export function actionsPage(needs: { action: string; email: string; password: boolean; names: boolean; error?: string }): string {
  const names = html`<label for="firstName">First name</label><input id="firstName" name="firstName" autocomplete="given-name" required />
    <label for="lastName">Last name</label><input id="lastName" name="lastName" autocomplete="family-name" required />`;
  const password = html`<label for="password-new">New password</label
    ><input id="password-new" name="password-new" type="password" autocomplete="new-password" required />
    <label for="password-confirm">Confirm password</label
    ><input id="password-confirm" name="password-confirm" type="password" autocomplete="new-password" required />`;
  return layout(
    needs.password ? 'Set your password' : 'Update your account',
    html`${alert(needs.error)}
      <p>Account: <strong>${needs.email}</strong></p>
      <form id="kc-passwd-update-form" method="post" action="${needs.action}">
        ${needs.names ? names : undefined}${needs.password ? password : undefined}
        <button type="submit">${needs.password || needs.names ? 'Save' : 'Confirm e-mail address'}</button>
      </form>`,
  );
}

/** A page with a message and an optional link. */
export function messagePage({ title, text, link }: { title: string; text: string; link?: { href: string; label: string } }): string {
  return layout(
    title,
    html`<p>${text}</p>
      ${link === undefined ? undefined : html`<p><a href="${link.href}">${link.label}</a></p>`}`,
  );
}

/** Asks whether to log out. `form` is the form of oidc-provider, which the button submits. */
export function logoutPage(form: string): string {
  return layout(
    'Logging out',
    html`<p>Do you want to log out?</p>
      ${new Markup(form)}<button type="submit" form="op.logoutForm" name="logout" value="yes">Logout</button>`,
  );
}

/** The mails as a list, in the given order. */
export function mailboxPage(mails: readonly Mail[]): string {
  const items = mails.map(
    (mail) =>
      html`<article class="mail">
        <h2>${mail.subject}</h2>
        <p class="quiet">To ${mail.to} · <time datetime="${mail.sentAt}">${mail.sentAt.replace('T', ' ').slice(0, 19)} UTC</time></p>
        <p>Please do the following: ${mail.actions.map((action) => action.toLowerCase().replaceAll('_', ' ')).join(', ')}.</p>
        <p><a href="${mail.link}">Open the link in this mail</a></p>
        <p class="quiet">It works until ${mail.expiresAt.replace('T', ' ').slice(0, 19)} UTC.</p>
      </article>`,
  );
  return layout(
    'Mailbox',
    items.length > 0 ? html`${items}` : html`<p>No mail yet. Every mail that the identity provider would send appears here.</p>`,
    { wide: true },
  );
}
