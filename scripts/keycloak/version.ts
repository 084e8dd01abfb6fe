import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../ci/command.ts';

/**
 * Returns the version of Keycloak to test with: the version of its admin client in pnpm-workspace.yaml, because Keycloak releases both together.
 * @throws Error if deploy/keycloak/Dockerfile names another minor version
 */
export function keycloakVersion(): string {
  const version = find('pnpm-workspace.yaml', /^ +'@keycloak\/keycloak-admin-client': (\d+\.\d+\.\d+)$/m);
  const image = find('deploy/keycloak/Dockerfile', /^FROM keycloak\/keycloak:([\d.]+)$/m);
  if (version === image || version.startsWith(`${image}.`)) return version;
  throw new Error(`deploy/keycloak/Dockerfile has Keycloak ${image}, pnpm-workspace.yaml has ${version}: set both to the same version.`);
}

function find(file: string, pattern: RegExp): string {
  const found = pattern.exec(readFileSync(join(root, file), 'utf8'))?.[1];
  if (!found) throw new Error(`${file} names no version of Keycloak`);
  return found;
}
