import type { DemoUser } from '../users/demo-users.ts';
import { alert, layout } from './layout.ts';
import { html, type Markup } from './markup.ts';

interface LoginForm {
  action: string;
  username: string;
  error?: string;
  demoUsers: readonly DemoUser[];
}

/** The login form, with Keycloak's field names, and the demo users, if any. */
export function loginPage({ action, username, error, demoUsers }: LoginForm): string {
  const form = html`<form id="kc-form-login" method="post" action="${action}">
    <label for="username">Email</label
    ><input id="username" name="username" type="email" autocomplete="username" value="${username}" required autofocus />
    <label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required />
    <button type="submit">Sign In</button>
  </form>`;
  const isDemo = demoUsers.length > 0;
  return layout(
    'Sign in to your account',
    html`${alert(error)}${
      isDemo
        ? html`<div class="columns">
            <div>${form}</div>
            ${peopleForm(action, demoUsers)}
          </div>`
        : form
    }`,
    { wide: isDemo },
  );
}

/** A form with one button for each demo user. The server signs the user in without a password. */
function peopleForm(action: string, demoUsers: readonly DemoUser[]): Markup {
  const passwords = [...new Set(demoUsers.map(({ password }) => password))];
  const hint = passwords.length === 1 ? html` Their initial password is <code>${passwords[0]}</code>.` : undefined;
  const items = demoUsers.map(
    ({ email, name, hint: what }) =>
      html`<li>
        <button type="submit" name="demo-user" value="${email}">
          <span class="name">${name}</span><span>${email}</span><span class="quiet">${what}</span>
        </button>
      </li>`,
  );
  return html`<section class="people" aria-labelledby="demo-users">
    <h2 id="demo-users">Demo users</h2>
    <p class="quiet">Select a user to sign in.${hint}</p>
    <form method="post" action="${action}">
      <ul>
        ${items}
      </ul>
    </form>
  </section>`;
}
