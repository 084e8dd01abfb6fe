import { recordOf, recordTypes } from '@profile-service/contracts';
import { type Contact, type Model, pair, type StoredEvent, tableOf } from '../test/oracle/model.ts';
import { seesAttachment, seesImport, seesOrganization, seesWebhook } from '../test/oracle/visibility.ts';
import type { ResolvedCaller } from '../test/oracle/caller.ts';
import type { Call } from './http.ts';

/** Words that occur in one record only: its id, and words of its texts. */
export interface Secret {
  kind: string;
  words: string[];
}

/** Shows organizations outside the scope, by specification: a Global user sees the grants of any tenant. */
const exempt = 'organizationScopes.get';

/** The types of records that are in scope if their organization is. */
const partsOfOrganizations = recordTypes.filter(
  (type) => recordOf(type).isScoped && !['organization', 'attachment', 'webhook'].includes(type),
);

/** The words that no response to this caller may contain, error or not. */
export function secretsFrom(model: Model, who: ResolvedCaller | string, { endpoint: { name }, input }: Call): Secret[] {
  if (name === exempt || (typeof who !== 'string' && who.organizationScope === 'ALL')) return [];
  const isAuditLog = /\bauditEntries\.\w+$/.test(name);
  // The delivery log names what was sent to the tenant.
  const isFeed = /\b(events|webhookDeliveries)\.\w+$/.test(name);
  const tenantId = typeof who === 'string' ? undefined : who.tenant?.id;
  // Entries and events of the active tenant still name the organizations that were linked to it.
  const isNamed = (link: string): boolean => (isAuditLog || isFeed) && (model.links.has(link) || model.endedLinks.has(link));
  const sees = (id: string): boolean => typeof who !== 'string' && (seesOrganization(model, who, id) || isNamed(pair(id, tenantId ?? '')));
  // Events name attachments that were changed in the tenant, or that belonged to an organization in scope.
  const isNamedBy = (event: StoredEvent): boolean =>
    event.tenantId === tenantId || (event.organizationId !== null && sees(event.organizationId));
  const namedByEvents = new Set(isFeed ? [...model.events.values()].filter(isNamedBy).map(({ recordId }) => recordId) : []);
  // The results of an import name what its file named, and records that have left the scope since.
  const ofImport = name === 'imports.results' ? model.imports.get(String(input['id'])) : undefined;
  const inImport =
    ofImport && typeof who !== 'string' && seesImport(who, ofImport) ? JSON.stringify([ofImport.given, ofImport.results]) : '';
  const secrets: Secret[] = [];
  const keep = (kind: string, record: object) =>
    secrets.push({
      kind,
      words: [(record as { id: string }).id, ...(JSON.stringify(record).match(/m\d+x/g) ?? [])].filter((word) => !inImport.includes(word)),
    });
  for (const organization of [...model.organizations.values(), ...model.deletedOrganizations.values()])
    if (!sees(organization.id)) keep('organization', organization);
  for (const attachment of isAuditLog ? [] : model.attachments.values())
    if (typeof who === 'string' || !(seesAttachment(model, who, attachment) || namedByEvents.has(attachment.id)))
      keep('attachment', attachment);
  // Audit entries and events of the tenant name its webhooks.
  for (const webhook of model.webhooks.values())
    if (!((isAuditLog || isFeed) && webhook.tenantId === tenantId) && (typeof who === 'string' || !seesWebhook(who, webhook)))
      keep('webhook', webhook);
  for (const type of partsOfOrganizations)
    for (const record of tableOf(model, type).values()) if (!sees((record as Contact).organizationId)) keep(type, record);
  return secrets;
}

/** The secrets in the text, except those that the call itself contained. */
export function findLeaks(secrets: readonly Secret[], call: Call, text: string): string[] {
  const said = JSON.stringify(call.input);
  // The audit entry of an export has the filters that its caller sent.
  const own = text.replaceAll(/"filters":\{[^{}]*\}/g, '');
  return secrets.flatMap(({ kind, words }) =>
    words.filter((word) => own.includes(word) && !said.includes(word)).map((word) => `${kind} ${word}`),
  );
}
