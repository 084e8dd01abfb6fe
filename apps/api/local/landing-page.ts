import type { Persona } from '@profile-service/contracts';
import { copyScript } from '../src/transports/pages/copy-script.ts';
import { escapeHtml, toHtml } from '../src/transports/pages/html.ts';
import type { HtmlPage } from '../src/transports/pages/layout.ts';
import type { Addresses } from './banner.ts';
import { nextSteps, type Step, tokenCommands } from './commands.ts';
import { demoGlobal, type DemoPerson, demoPassword, demoPeople, demoTenants, describePerson } from './people.ts';

/** What each persona may do in its tenant. */
const rights: Record<Persona, string> = {
  'tenant-admin': 'manages organizations, addresses, contacts and files, and reads the audit log',
  coordinator: 'changes organizations; creates and changes addresses, contacts and files',
  technician: 'reads organizations; creates and changes addresses, contacts and files',
  viewer: 'reads everything of the tenant',
};

const guides = {
  'README.md': 'first requests, the typed client, other languages',
  'examples/frontend': 'a React page for this demo: `npm run example:frontend`',
  'docs/README.md': 'index of the documentation',
  'docs/use': 'authentication, personas and scopes, attachments, login, errors',
  'packages/client/README.md': 'the typed client',
  'docs/use/rest-clients.md': 'clients in TypeScript, Python, Go and Java, a backend in Python',
  'docs/use/files.md': 'attachments; load records from a spreadsheet, and get them back as one',
  'docs/use/retries.md': 'repeat a request safely',
  'docs/use/concurrent-edits.md': 'change only what you have read',
  'docs/run/limits.md': 'rates and sizes',
  'docs/run/production.md': 'from an empty machine to an installation',
};

/** Renders the page at `/` of `npm start`: addresses, demo people, tokens, and what to try next. */
export function demoLandingPage({ service, realm, mailbox }: Addresses): HtmlPage {
  const addresses: [url: string, name: string, text: string][] = [
    ['./docs', 'API reference', `Log in with <strong>Authorize</strong> as one of the people below, and send requests from the page.`],
    ['./errors', 'Error codes', 'What each code means, what causes it, and what to do.'],
    ['./openapi.json', 'OpenAPI document', 'For client generators, version 3.1.'],
    [mailbox, 'Mailbox', 'Every e-mail that the demo sends, such as the link to set a password.'],
    [
      `${realm}/.well-known/openid-configuration`,
      'Identity provider',
      `Discovery document of the issuer <code>${escapeHtml(realm)}</code>.`,
    ],
    ['./health/ready', 'Health', 'The state of the database, the identity provider and the storage.'],
  ];
  const cards = addresses.map(([url, name, text]) => `<li class="card"><a href="${escapeHtml(url)}">${name}</a><p>${text}</p></li>`);
  const applications = demoTenants.map(
    ({ name, clientId, clientSecret }) =>
      `<tr><th scope="row">${name}</th><td><code>${clientId}</code></td><td><code>${clientSecret}</code></td></tr>`,
  );
  const main = `<h1>Your own multi-tenant world is running</h1>
<p class="lead">The profile service keeps users, tenants, organizations and files, and isolates the tenants from each other. This demo has a database, an identity provider and a mailbox of its own.</p>
<ul class="cards">${cards.join('')}</ul>
<h2 id="people">People</h2>
<p>All have the password <code>${demoPassword}</code>. There are two tenants, one for each app: Harvest and Ledger.</p>
<div class="table" role="region" aria-labelledby="people" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">Login</th><th scope="col">Role</th><th scope="col">May</th></tr></thead>
<tbody>${[demoGlobal, ...demoPeople].map(personRow).join('')}</tbody></table></div>
<h2 id="applications">Applications</h2>
<p>Each tenant has an application with a client of its own at the identity provider.</p>
<div class="table" role="region" aria-labelledby="applications" tabindex="0"><table><thead><tr><th scope="col">Tenant</th><th scope="col">Client id</th><th scope="col">Secret</th></tr></thead>
<tbody>${applications.join('')}</tbody></table></div>
<h2>Get a token</h2>
<p>Paste the commands into a terminal with <code>curl</code>. A token lasts an hour.</p>
${tokenCommands(service, realm).map(step('div', 'card')).join('')}
<h2>Try next</h2>
<ol class="steps">${nextSteps(service).map(step('li')).join('')}</ol>
<h2>Guides</h2>
<p>In the repository:</p>
<ul>${Object.entries(guides)
    .map(([file, text]) => `<li><code>${file}</code>: ${toHtml(text)}</li>`)
    .join('')}</ul>`;
  return { title: 'Profile service – demo', main, script: copyScript };
}

function personRow(person: DemoPerson): string {
  const { name, email, memberships } = person;
  const roles = Object.entries(memberships);
  const may = roles.map(([app, persona]) => (roles.length > 1 ? `${app}: ` : '') + rights[persona]).join('<br>');
  return `<tr><th scope="row">${name}</th><td><code>${email}</code></td><td>${describePerson(person, '<br>')}</td><td>${may || 'everything, in all tenants'}</td></tr>`;
}

const step =
  (element: string, className = '') =>
  ({ title, text, commands }: Step): string =>
    `<${element}${className && ` class="${className}"`}><h3>${title}</h3><p>${toHtml(text)}</p><div class="sample"><pre tabindex="0"><code>${escapeHtml(commands)}</code></pre></div></${element}>`;
