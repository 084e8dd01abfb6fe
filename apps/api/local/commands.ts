import { tokenUrlOf } from './log-in.ts';
import { demoPassword, demoTenants } from './people.ts';

/** Commands of the landing page, for a POSIX shell with curl and sed. A test runs them. */
export interface Step {
  title: string;
  /** What happens, and where to look. Backticks mark code. */
  text: string;
  commands: string;
}

/** Returns a command that prints the value of a field of JSON. */
export const pick = (name: string) => String.raw`sed 's/.*"${name}":"\([^"]*\)".*/\1/'`;

/** Returns how to get the tokens of a user and of an application. @param service URL of the service @param realm URL of the realm */
export function tokenCommands(service: string, realm: string): Step[] {
  const [{ clientId, clientSecret, app }] = demoTenants;
  const tokenUrl = tokenUrlOf(realm);
  return [
    {
      title: 'As a user',
      text: 'The other commands use these functions. Paste them first.',
      commands: `token() { curl -s ${tokenUrl} -d grant_type=password -d client_id=web -d username=$1@example.com -d password=${demoPassword} | ${pick('access_token')}; }
api() { curl -s -H "Authorization: Bearer $TOKEN" "$@"; echo; }
id() { ${pick('id')}; }
TOKEN=$(token gloria)
api ${service}/api/me/permissions`,
    },
    {
      title: 'As an application',
      text: `Applications call \`/service\` with a token of their own. It selects the tenant of ${app}, so there is no \`X-Tenant-Id\`.`,
      commands: `TOKEN=$(curl -s ${tokenUrl} -d grant_type=client_credentials -d client_id=${clientId} -d client_secret=${clientSecret} | ${pick('access_token')})
api ${service}/service/organizations`,
    },
  ];
}

/** Returns what to try next. @param service URL of the service */
export const nextSteps = (service: string): Step[] => [
  {
    title: 'Switch the tenant',
    text: 'Beto belongs to two tenants. Without `X-Tenant-Id` his request is 403 `ACTIVE_TENANT_REQUIRED`. In Ledger he sees two organizations, in Harvest three.',
    commands: `TOKEN=$(token beto)
api ${service}/api/organizations
LEDGER=$(api ${service}/api/me/tenants | grep -o '{[^{}]*Ledger[^{}]*}' | id)
api -H "X-Tenant-Id: $LEDGER" ${service}/api/organizations`,
  },
  {
    title: 'Meet a typed error',
    text: 'This customer exists. The response is a problem document: programs read `code`, and `type` links to what it means.',
    commands: `TOKEN=$(token gloria)
api -i -H 'Content-Type: application/json' ${service}/api/customers -d '{"federalTaxId":"11222333000181","name":"Twice"}'`,
  },
  {
    title: 'See the isolation of tenants',
    text: 'Gloria finds an organization of Ledger. For Carlos, who works in Harvest, the same id does not exist.',
    commands: `TOKEN=$(token gloria)
FOREIGN=$(api "${service}/api/organizations?name=viva" | id)
api ${service}/api/organizations/$FOREIGN
TOKEN=$(token carlos)
api ${service}/api/organizations/$FOREIGN`,
  },
  {
    title: 'Upload a file and read it again',
    text: 'The file belongs to an organization, so only its tenants can read it. The service checks the first bytes against the content type.',
    commands: `TOKEN=$(token carlos)
OWN=$(api "${service}/api/organizations?name=vale" | id)
printf '%%PDF-1.7\\n' > contract.pdf
FILE=$(api -F "entityId=$OWN" -F 'file=@contract.pdf;type=application/pdf' ${service}/api/attachments | id)
api ${service}/api/attachments/$FILE`,
  },
  {
    title: 'Move an organization',
    text: 'The new address becomes the current one. The former address stays in the history, with the day on which it ended.',
    commands: `api -H 'Content-Type: application/json' ${service}/api/organization-addresses -d "{\\"organizationId\\":\\"$OWN\\",\\"zipCode\\":\\"01001000\\",\\"street\\":\\"Praça da Sé\\",\\"number\\":\\"1\\",\\"cityCode\\":3550308,\\"stateCode\\":35}"
api "${service}/api/organization-addresses?organizationId=$OWN"`,
  },
];
