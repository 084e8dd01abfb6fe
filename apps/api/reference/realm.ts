import { readFileSync } from 'node:fs';
import { endpoints } from '@profile-service/contracts';
import { root } from '../../../scripts/ci/command.ts';

export const realmFile = 'deploy/keycloak/profile-realm.json';

/** The realm file with the exception roles of all endpoints, as roles of the service's client and in the tokens of the frontend's client. */
export function realmWithRoles(): string {
  const roles = new Map(
    endpoints.flatMap(({ endpoint: { access } }): [string, string][] => {
      if (access.kind !== 'user' || access.globalOnly) return [];
      const description = `May ${access.action} ${access.module.replaceAll('-', ' ')} whatever the persona`;
      return [[`${access.module}:${access.action}`, `{ "name": "${access.module}:${access.action}", "description": "${description}" }`]];
    }),
  );
  const names = [...roles.keys()].map((name) => JSON.stringify(name));
  return readFileSync(root + realmFile, 'utf8')
    .replace(/(?<="client": \{\s*"profile-service": \[)[^\]]*/, [...roles.values()].join())
    .replace(/(?<="client": "profile-web",\s*"roles": \[)(?!"super_admin")[^\]]*/, names.join());
}
