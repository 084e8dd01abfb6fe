import type { Access, NamedEndpoint } from '@profile-service/contracts';
import type { Citation } from './citations.ts';
import type { EndpointRow, SpecificationPage } from './specification.ts';

/** Compares specification, contract and tests. Returns one line for each contradiction. */
export function findProblems(pages: SpecificationPage[], endpoints: readonly NamedEndpoint[], citations: Citation[]): string[] {
  const ids = pages.flatMap(({ rules }) => rules);
  const known = new Set(ids);
  const cited = new Set(citations.map(({ rule }) => rule));
  const listed = pages.flatMap((page) => page.endpoints.map(print));
  const declared = endpoints.map((named) => print(rowOf(named)));
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is the id of two rules`),
    ...ids.filter((id) => !cited.has(id)).map((id) => `${id} has no test`),
    ...citations.filter(({ rule }) => !known.has(rule)).map(({ rule, file }) => `${file} cites the unknown rule ${rule}`),
    ...declared
      .filter((row) => !listed.includes(row))
      .map((row) => `The specification does not list this endpoint of the contract:\n  ${row}`),
    ...listed.filter((row) => !declared.includes(row)).map((row) => `The contract does not have this row of the specification:\n  ${row}`),
  ];
}

/** The row of an endpoint in the specification. */
export function rowOf({ name, endpoint: { method, path, media, access, success } }: NamedEndpoint): EndpointRow {
  const { action, resource } = access.kind === 'user' ? access : { action: '', resource: '' };
  const procedure = ['json', 'stream'].includes(media) ? name : '';
  return { endpoint: `${method} ${path}`, procedure, action, resource, access: exceptionOf(access), success: String(success) };
}

/** The column Access. */
function exceptionOf(access: Access): string {
  if (access.kind !== 'user') return '';
  if (access.globalOnly) return 'Global users only';
  if (access.ownTenant) return 'active tenant only';
  if (access.wholeTenant) return 'whole tenant only';
  return access.resource.replace(/^resource:|_id$/g, '') === access.module ? '' : `module ${access.module}`;
}

/** The row as the specification shows it, without the column Access if that is empty. */
export const print = ({ endpoint, procedure, action, resource, access, success }: EndpointRow): string =>
  `| ${[code(endpoint), code(procedure), action || '–', code(resource), ...(access ? [access] : []), success].join(' | ')} |`;

const code = (text: string): string => (text ? `\`${text}\`` : '–');
