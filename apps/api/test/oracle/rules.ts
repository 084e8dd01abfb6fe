import { readSpecification } from '../../rules/specification.ts';
import type { Persona } from './model.ts';

export type Action = 'create' | 'read' | 'update' | 'delete';
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Which users may call an endpoint of `/api`. */
export interface UserRule {
  kind: 'user';
  /** The exception role is `<module>:<action>`. */
  module: string;
  action: Action;
  /** Resource of an RPT permission. */
  resource: string;
  /** Only Global users may call it: no role and no persona opens it. */
  globalOnly: boolean;
  /** A persona opens it for the active tenant only. */
  ownTenant: boolean;
  /** A member whose organization scope is RESTRICTED may not call it. */
  wholeTenant: boolean;
}
export type Rule = UserRule | { kind: 'me' } | { kind: 'service' };

/** The tables of docs/specification. They are not read from the contract, so that tests notice a wrong contract. */
const pages = readSpecification();
const rows = pages.flatMap((page) => page.endpoints);
const matrix = new Map(pages.flatMap((page) => page.modules).map((row) => [row.module, row]));
/** The row of the persona matrix for endpoints that a persona opens for the active tenant only. */
const activeTenantOnly = 'active tenant only';

export const modules: readonly string[] = [...matrix.keys()].filter((module) => module !== activeTenantOnly);

/** The paths of the endpoints that read records under this path, such as `/api/users`: the list, and one record by its key. */
export const readersOf = (path: string): string[] =>
  rows.flatMap(({ endpoint }) => (/^GET (.*?)(?:\/\{\w+\})?$/.exec(endpoint)?.[1] === path ? endpoint.slice('GET '.length) : []));

/** Returns the rule of an endpoint. Throws for an endpoint without a row in the specification. */
export function ruleOf(method: Method, path: string): Rule {
  const endpoint = `${method} ${path}`;
  const row = rows.find((each) => each.endpoint === endpoint);
  if (!row) throw new Error(`${endpoint} has no row: add it to a table of endpoints in ${pageFor(path)}`);
  if (path.startsWith('/service/')) return { kind: 'service' };
  const { action, resource, access } = row;
  if (action === '') return { kind: 'me' };
  const module = /^module (.*)$/.exec(access)?.[1] ?? resource.replaceAll(/^resource:|_id$/g, '');
  if (!matrix.has(module))
    throw new Error(`The module ${module} of ${endpoint} has no row in the persona matrix of docs/specification/access.md`);
  const [globalOnly, ownTenant, wholeTenant] = ['Global users only', activeTenantOnly, 'whole tenant only'].map(
    (each) => access === each,
  ) as [boolean, boolean, boolean];
  return { kind: 'user', module, action: action as Action, resource, globalOnly, ownTenant, wholeTenant };
}

/** The page with other endpoints of this resource. */
function pageFor(path: string): string {
  const [start] = /^\/\w+\/[\w-]+/.exec(path) ?? [path];
  const page = pages.find(({ endpoints }) => endpoints.some(({ endpoint }) => endpoint.split(' ')[1]?.startsWith(start)));
  return `docs/specification/${page?.name ?? '<page>'}.md`;
}

/** Neither RPT permissions nor super_admin open a reserved module. */
export const isReserved = ({ module }: UserRule): boolean => matrix.get(module)?.isReserved ?? false;

const letters = { create: 'C', read: 'R', update: 'U', delete: 'D' };

/** Whether the persona matrix permits the action (ACCESS-10). */
export const personaMay = (persona: Persona, { module, action, ownTenant }: UserRule): boolean =>
  matrix.get(ownTenant ? activeTenantOnly : module)?.actions[persona]?.includes(letters[action]) ?? false;
