import type { NamedEndpoint } from '@profile-service/contracts';
import type { Citation } from './citations.ts';
import type { SpecificationPage } from './specification.ts';

/** Compares specification, contract and tests. Returns one line for each contradiction. */
export function findProblems(pages: SpecificationPage[], endpoints: readonly NamedEndpoint[], citations: Citation[]): string[] {
  const ids = pages.flatMap(({ rules }) => rules.map(({ id }) => id));
  const known = new Set(ids);
  const cited = new Set(citations.map(({ rule }) => rule));
  const listed = pages.flatMap(({ endpointRows }) => endpointRows);
  const declared = endpoints.map(endpointRow);
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

/** The row of an endpoint in the specification: address, procedure, action, resource, success status. */
export function endpointRow({ name, endpoint: { method, path, media, access, success } }: NamedEndpoint): string {
  const [action, resource] = access.kind === 'user' ? [access.action, `\`${access.resource}\``] : ['–', '–'];
  return `| \`${method} ${path}\` | ${media === 'json' ? `\`${name}\`` : '–'} | ${action} | ${resource} | ${success} |`;
}
