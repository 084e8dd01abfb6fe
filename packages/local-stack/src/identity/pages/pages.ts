import type { Mail } from './mail.ts';
import { html, Markup } from './markup.ts';

const style = new Markup(`
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; padding: 3rem 1.25rem; max-width: 26rem; }
  body.wide { max-width: 44rem; }
  h1 { font-size: 1.4rem; margin: 0 0 1.25rem; }
  label { display: block; margin: 0.9rem 0 0.25rem; font-weight: 600; }
  input { box-sizing: border-box; width: 100%; padding: 0.55rem 0.65rem; font: inherit; border: 1px solid #8888; border-radius: 0.4rem; }
  button { margin-top: 1.4rem; width: 100%; padding: 0.65rem; font: inherit; font-weight: 600; color: #fff; background: #0b5cad; border: 0; border-radius: 0.4rem; }
  .alert { padding: 0.6rem 0.8rem; border-left: 4px solid #c4341c; background: #c4341c1a; }
  .mail { padding: 1rem 0; border-top: 1px solid #8884; overflow-wrap: anywhere; }
  .mail h2 { font-size: 1.05rem; margin: 0; }
  .quiet { color: #777; font-size: 0.9rem; margin: 0.15rem 0; }
`);

function page(title: string, content: Markup, bodyClass = ''): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body class="${bodyClass}">
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.text;
}

function alert(message: string | undefined): Markup | undefined {
  return message === undefined ? undefined : html`<p class="alert" role="alert">${message}</p>`;
}

/** The login form, with Keycloak's field names. */
export function loginPage({ action, username, error }: { action: string; username: string; error?: string }): string {
  return page(
    'Sign in to your account',
    html`${alert(error)}
      <form id="kc-form-login" method="post" action="${action}">
        <label for="username">Email</label
        ><input id="username" name="username" type="email" autocomplete="username" value="${username}" required autofocus />
        <label for="password">Password</label
        ><input id="password" name="password" type="password" autocomplete="current-password" required />
        <button type="submit">Sign In</button>
      </form>`,
  );
}

/** The form of required actions: a new password, names, or only a button that confirms the e-mail. */
export function actionsPage(needs: { action: string; email: string; password: boolean; names: boolean; error?: string }): string {
  const names = html`<label for="firstName">First name</label><input id="firstName" name="firstName" autocomplete="given-name" required />
    <label for="lastName">Last name</label><input id="lastName" name="lastName" autocomplete="family-name" required />`;
  const password = html`<label for="password-new">New password</label
    ><input id="password-new" name="password-new" type="password" autocomplete="new-password" required />
    <label for="password-confirm">Confirm password</label
    ><input id="password-confirm" name="password-confirm" type="password" autocomplete="new-password" required />`;
  return page(
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
  return page(
    title,
    html`<p>${text}</p>
      ${link === undefined ? undefined : html`<p><a href="${link.href}">${link.label}</a></p>`}`,
  );
}

/** Asks whether to log out. `form` is the form of oidc-provider, which the button submits. */
export function logoutPage(form: string): string {
  return page(
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
  return page(
    'Mailbox',
    items.length > 0 ? html`${items}` : html`<p>No mail yet. Every mail that the identity provider would send appears here.</p>`,
    'wide',
  );
}
