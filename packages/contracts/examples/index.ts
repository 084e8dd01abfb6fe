import { readdirSync } from 'node:fs';
import { type Endpoint, endpoints } from '../src/index.ts';
import type { Example, Input } from './example.ts';
import { none } from './values.ts';

export { optionalParts, smallestChanges } from './changes.ts';
export type * from './example.ts';
export { nestedLengths, newOrganization, organizationOptions } from './organizations.ts';
export * from './places.ts';
export { absentId } from './values.ts';

const files = readdirSync(new URL('.', import.meta.url)).filter((file) => file !== 'index.ts');
const modules = await Promise.all(files.map((file) => import(`./${file.replace(/\.ts$/, '')}.ts`) as Promise<Record<string, unknown>>));
/** What the files of this folder export: a group of examples has the name of its group, after `service` for endpoints under `/service`. */
const groups = Object.assign({}, ...modules) as Record<string, Record<string, Example> | undefined>;

const hasInput = ({ params, query, body }: Endpoint): boolean => body !== null || Object.keys({ ...params, ...query }).length > 0;

/** All examples with their endpoints, in the order of the contract. */
export const examples = endpoints.map(({ name, endpoint }) => {
  const [, service = '', group = '', key = ''] = /^(?:(service)\.)?(\w+)\.(\w+)$/.exec(name) ?? [];
  const found = groups[service ? service + group.charAt(0).toUpperCase() + group.slice(1) : group]?.[key];
  if (!found && hasInput(endpoint)) throw new Error(`Add an example of ${name} to a file of packages/contracts/examples`);
  return { name, endpoint, example: found ?? ({ valid: none } as Example) };
});

/** The example of an endpoint. Throws if there is none. @param name dotted: `users.create` */
export function exampleOf(name: string): Example {
  const found = examples.find((each) => each.name === name);
  if (!found) throw new Error(`The contract has no endpoint ${name}`);
  return found.example;
}

/** The fields of a new record that its creation did not name. @param name of the endpoint that creates it */
export function unsetFields(name: string): Input {
  const { generated = {}, nullable, defaults } = exampleOf(name).record ?? {};
  const empty = Object.fromEntries(Object.entries(generated).filter(([, form]) => form === null));
  return { ...empty, ...nullable, ...defaults };
}
