import { recordOf, recordTypes } from '@profile-service/contracts';
import { type Contact, type Model, tableOf } from '../test/oracle/model.ts';
import { seesAttachment, seesOrganization, seesPartOf } from '../test/oracle/visibility.ts';
import type { ResolvedCaller } from '../test/oracle/caller.ts';
import type { Call } from './http.ts';

/** Words that occur in one record only: its id, and words of its texts. */
export interface Secret {
  kind: string;
  words: string[];
}

/**
 * Endpoints that show records outside the scope, by specification: a Global user sees the grants of any tenant, and audit entries of the active tenant name
 * records that are no longer in scope.
 */
const exempt = new Set(['organizationScopes.get', 'auditEntries.list', 'service.auditEntries.list']);

/** The types of records that are in scope if their organization is. */
const partsOfOrganizations = recordTypes.filter((type) => recordOf(type).isScoped && !['organization', 'attachment'].includes(type));

/** The words that no response to this caller may contain, error or not. */
export function secretsFrom(model: Model, who: ResolvedCaller | string, call: Call): Secret[] {
  if (exempt.has(call.endpoint.name) || (typeof who !== 'string' && who.organizationScope === 'ALL')) return [];
  const secrets: Secret[] = [];
  const keep = (kind: string, record: object) =>
    secrets.push({ kind, words: [(record as { id: string }).id, ...(JSON.stringify(record).match(/m\d+x/g) ?? [])] });
  for (const organization of [...model.organizations.values(), ...model.deletedOrganizations.values()])
    if (typeof who === 'string' || !seesOrganization(model, who, organization.id)) keep('organization', organization);
  for (const attachment of model.attachments.values())
    if (typeof who === 'string' || !seesAttachment(model, who, attachment)) keep('attachment', attachment);
  for (const type of partsOfOrganizations)
    for (const record of tableOf(model, type).values())
      if (typeof who === 'string' || !seesPartOf(model, who, record as Contact)) keep(type, record);
  return secrets;
}

/** The secrets in the text, except those that the call itself contained. */
export function findLeaks(secrets: readonly Secret[], call: Call, text: string): string[] {
  const said = JSON.stringify(call.input);
  return secrets.flatMap(({ kind, words }) =>
    words.filter((word) => text.includes(word) && !said.includes(word)).map((word) => `${kind} ${word}`),
  );
}
