import { pick } from './commands.ts';
import { tokenUrlOf } from './log-in.ts';
import { demoGlobal, demoPassword, demoPeople, demoTenants, describePerson } from './people.ts';

export interface Addresses {
  service: string;
  realm: string;
  mailbox: string;
}

/**
 * Returns what `npm start` prints: the addresses, the demo users, and commands to paste.
 * @param host address on which the identity provider listens. If other machines can reach it, the banner has a warning
 */
export function banner({ service, realm, mailbox }: Addresses, host = '127.0.0.1'): string {
  const people = [demoGlobal, ...demoPeople].map((person) => `    ${person.email.padEnd(20)} ${describePerson(person)}`);
  const [tenant] = demoTenants;
  const take = pick('access_token');
  const warning = ['0.0.0.0', '::'].includes(host)
    ? `\n\n  Keep port ${new URL(realm).port} private: HOST=${host} opens it to other machines, and the passwords are public.`
    : '';
  const tokenUrl = tokenUrlOf(realm);
  return `
  Profile service    ${service}
  API reference      ${service}/docs
  Error codes        ${service}/errors
  OpenAPI document   ${service}/openapi.json
  Mailbox            ${mailbox}
  Identity provider  ${realm}

  People (password "${demoPassword}"):
${people.join('\n')}${warning}

  Open ${service} in a browser, or paste the commands below.

  A user's token:
    TOKEN=$(curl -s ${tokenUrl} -d grant_type=password -d client_id=web -d username=${demoGlobal.email} -d password=${demoPassword} | ${take})

  An application's token, for /service:
    SERVICE_TOKEN=$(curl -s ${tokenUrl} -d grant_type=client_credentials -d client_id=${tenant.clientId} -d client_secret=${tenant.clientSecret} | ${take})

  First requests:
    curl -s -H "Authorization: Bearer $TOKEN" ${service}/api/organizations
    curl -s -H "Authorization: Bearer $SERVICE_TOKEN" ${service}/service/organizations

  Frontends on http://localhost:<any port> can call the service. Ctrl-C stops everything; the data stays.
`;
}
