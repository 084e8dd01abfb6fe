import { type Group, groups, type NamedEndpoint } from '@profile-service/contracts';
import type { TagObject } from 'openapi3-ts/oas31';

const groupOf = (name: string): Group => name.split('.').at(-2) as Group;

/** Derives the tag of an endpoint from its name: `documentTypes.list` → `Document types`. Service endpoints share the tag of their resource. */
export const tagOf = (name: string): string => nameOf(groupOf(name));

function nameOf(group: string): string {
  const words = group.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Lists the tags of the endpoints in the order of the descriptions. */
export function tagsOf(endpoints: readonly NamedEndpoint[]): TagObject[] {
  const used = new Set<string>(endpoints.map(({ name }) => groupOf(name)));
  return Object.entries(groups).flatMap(([module, description]) => (used.has(module) ? { name: nameOf(module), description } : []));
}
