import { type Endpoint, endpoints, recordOf, type RecordType } from '@profile-service/contracts';
import { exampleOf, unsetFields } from '@profile-service/contracts/examples';
import { type Attachment, type Contact, type Key, type Organization, tableOf, type Webhook } from '../../test/oracle/model.ts';
import { outsideScopeCode, seesAttachment, seesOrganization, seesPartOf, seesWebhook } from '../../test/oracle/visibility.ts';
import { contains, equals, next } from './draws.ts';
import type { Body, Case, DrawContext, Input } from './driver.ts';
import { drawFields, isFreeText, referencedType } from './fields.ts';

/** Records of any type. */
type Fields = Record<string, unknown>;

/** The endpoint with this name. Throws if there is none. */
export function endpointOf(name: string): Endpoint {
  const named = endpoints.find((each) => each.name === name);
  if (!named) throw new Error(`The contract has no endpoint ${name}`);
  return named.endpoint;
}

/** What the contract, the example and the record type say about a resource with five endpoints. */
export function resourceOf(type: RecordType) {
  const { groups, key, notFound } = recordOf(type);
  const [group = ''] = groups;
  const create = exampleOf(`${group}.create`);
  return {
    type,
    group,
    key: key[0] ?? '',
    notFound: notFound ?? '',
    create: endpointOf(`${group}.create`),
    list: endpointOf(`${group}.list`),
    update: endpointOf(`${group}.update`),
    remove: endpointOf(`${group}.remove`),
    together: [...(create.together ?? []), ...(exampleOf(`${group}.update`).together ?? [])],
    example: {
      nullable: {},
      requestOnly: [],
      absentAfterPost: [],
      onlyAfterPost: [] as string[],
      unique: { fields: [], code: '' },
      generated: {},
      ...create.record,
    },
  };
}
export type Resource = ReturnType<typeof resourceOf>;

export const without = (value: object, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** A record that belongs to an organization is in scope if the organization is. Other records, except attachments and webhooks, are in every scope. */
export function isVisible({ model, who }: Pick<Case, 'model' | 'who'>, type: RecordType, record: object): boolean {
  if (!recordOf(type).isScoped) return true;
  if (type === 'webhook') return seesWebhook(who, record as Webhook);
  if (type === 'attachment') return seesAttachment(model, who, record as Attachment);
  return type === 'organization' ? seesOrganization(model, who, (record as Organization).id) : seesPartOf(model, who, record as Contact);
}

/** The error codes of references to records that do not exist or are outside the scope, as far as the endpoint declares them. */
export function unknownReferences({ model, who }: Case, { errors }: Endpoint, input: Input): string[] {
  return Object.entries(input).flatMap(([field, key]): string[] => {
    const type = referencedType(field);
    if (!type || key === null) return [];
    if (type === 'organization' && errors.includes('NOT_ALLOWED_ORGANIZATION'))
      return seesOrganization(model, who, key as string) ? [] : [outsideScopeCode(who)];
    if (tableOf(model, type).has(key as Key)) return [];
    return errors.filter((code) => code === recordOf(type).notFound || code === `INVALID_${type.toUpperCase()}`);
  });
}

/** The error code if another record has a value of the input in a unique field. */
export function takenValues({ type, example: { unique } }: Resource, { model }: Case, input: Input, by?: object): string[] {
  const others = [...tableOf(model, type).values()].filter((other) => other !== by) as Fields[];
  const isTaken = (field: string) => (input[field] ?? null) !== null && others.some((other) => other[field] === input[field]);
  return unique.fields.some(isTaken) ? [unique.code] : [];
}

/** The error code if a record of another type refers to this one. */
export function references({ type, key, remove }: Resource, { model }: Case, record: object): string | undefined {
  const { [recordOf(type).table]: _own, auditEntries: _entries, events: _events, ...tables } = model as unknown as Record<string, unknown>;
  const refers = (other: object) =>
    Object.entries(other).some(([field, value]) => value === (record as Fields)[key] && referencedType(field) === type);
  const isInUse = Object.values(tables).some((table) => table instanceof Map && [...(table.values() as Iterable<object>)].some(refers));
  return isInUse ? remove.errors.find((code) => code.endsWith('_IN_USE')) : undefined;
}

/** The fields of an accepted input as the service stores them: null becomes the default of the field. */
export const stored = ({ example }: Resource, input: Input): Input =>
  Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, value === null ? ((example.nullable as Fields)[field] ?? null) : value]),
  );

/** The record that an accepted input creates, with the id and other generated values of the response. */
export function made(resource: Resource, { input }: Case, answered: Body): Fields {
  const { generated, requestOnly } = resource.example;
  const unknown = Object.entries(generated).filter(([, form]) => form === 'id' || form === 'text');
  const fields = stored(resource, without(input, requestOnly));
  return {
    ...unsetFields(`${resource.group}.create`),
    ...fields,
    ...Object.fromEntries(unknown.map(([field]) => [field, answered[field]])),
  };
}

/** Values of the body's fields by name and schema, without these fields. Sometimes that of another record in a unique field. */
export function drawBody({ type, key, together, example }: Resource, context: DrawContext, { body }: Endpoint, except: string[]): Input {
  const { model, random } = context;
  const shape = body?.shape ?? {};
  const [unique = '', other] = [random.pick(example.unique.fields), random.pick([...tableOf(model, type).values()])];
  return {
    ...drawFields(context, shape, [key, ...except, ...together]),
    ...(key in shape ? { [key]: 5_000_000 + next() } : {}),
    ...(unique in shape && other && random.chance(0.15) ? { [unique]: (other as Fields)[unique] } : {}),
  };
}

/** Whether the record passes the filters that have the names of its fields. */
export const passes = ({ list }: Resource, record: object, input: Input): boolean =>
  Object.entries(list.query).every(([field, schema]) => {
    const value = (record as Fields)[field];
    return value === undefined || (isFreeText(schema) ? contains(value as string, input[field]) : equals(value, input[field]));
  });
