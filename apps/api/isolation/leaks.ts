import type { Model } from '../test/oracle/model.ts';
import { seesAttachment, seesOrganization, seesPartOf } from '../test/oracle/visibility.ts';
import type { ResolvedCaller } from '../test/oracle/caller.ts';
import type { Call } from './http.ts';

/** Words that occur in one record only: its id and its name. */
export interface Secret {
  kind: string;
  words: string[];
}

/**
 * Endpoints that show records outside the scope, by specification: a Global user sees the grants of any tenant, and audit entries of the active tenant name
 * records that are no longer in scope.
 */
const exempt = new Set(['organizationScopes.get', 'auditEntries.list', 'service.auditEntries.list']);

/** The words that no response to this caller may contain, error or not. */
export function secretsFrom(model: Model, who: ResolvedCaller | string, call: Call): Secret[] {
  if (exempt.has(call.endpoint.name) || (typeof who !== 'string' && who.organizationScope === 'ALL')) return [];
  const sees = <R>(test: (model: Model, who: ResolvedCaller, record: R) => boolean, record: R): boolean =>
    typeof who !== 'string' && test(model, who, record);
  const secrets: Secret[] = [];
  const keep = (kind: string, id: string, text: string) => secrets.push({ kind, words: [id, ...(text.match(/m\d+x/g) ?? [])] });
  for (const { id, name } of [...model.organizations.values(), ...model.deletedOrganizations.values()])
    if (!sees(seesOrganization, id)) keep('organization', id, name);
  for (const address of model.addresses.values()) if (!sees(seesPartOf, address)) keep('address', address.id, address.street);
  for (const contact of model.contacts.values()) if (!sees(seesPartOf, contact)) keep('contact', contact.id, contact.value);
  for (const attachment of model.attachments.values())
    if (!sees(seesAttachment, attachment)) keep('attachment', attachment.id, attachment.originalFilename + attachment.content);
  return secrets;
}

/** The secrets in the text, except those that the call itself contained. */
export function findLeaks(secrets: readonly Secret[], call: Call, text: string): string[] {
  const said = JSON.stringify(call.input);
  return secrets.flatMap(({ kind, words }) =>
    words.filter((word) => text.includes(word) && !said.includes(word)).map((word) => `${kind} ${word}`),
  );
}
