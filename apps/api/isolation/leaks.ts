import type { Model } from './model.ts';
import { seesAttachment, seesOrganization, seesPartOf } from './oracle/visibility.ts';
import type { Standing } from './oracle/standing.ts';
import type { Question } from './wire.ts';

/** Words that stand in one record alone: its id, and what it was named. */
export interface Secret {
  kind: string;
  words: string[];
}

/** The endpoints whose point is to show a Global user what is outside of the active tenant. */
const exempt = new Set(['organizationScopes.get']);

/** What the caller must not read anywhere in an answer, in an error neither. */
export function secretsFrom(model: Model, who: Standing | string, question: Question): Secret[] {
  if (exempt.has(question.endpoint.name) || (typeof who !== 'string' && who.reach === 'ALL')) return [];
  const sees = <R>(test: (model: Model, who: Standing, record: R) => boolean, record: R): boolean =>
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

/** The secrets that the text tells, but for what the question said itself. */
export function told(secrets: readonly Secret[], question: Question, text: string): string[] {
  const said = JSON.stringify(question.input);
  return secrets.flatMap(({ kind, words }) =>
    words.filter((word) => text.includes(word) && !said.includes(word)).map((word) => `${kind} ${word}`),
  );
}
