/** The types of the records that the API shows. Audit entries and events name them. */
export const recordTypes = [
  'user',
  'membership',
  'organizationScope',
  'customer',
  'app',
  'tenant',
  'organization',
  'organizationLink',
  'organizationAddress',
  'organizationContact',
  'documentType',
  'state',
  'city',
  'attachment',
] as const;
export type RecordType = (typeof recordTypes)[number];

/** What happened to a record: `organization.updated`. */
export type EventType = `${RecordType}.${'created' | 'updated' | 'deleted'}`;

/** The record type of an event type. */
export const recordTypeOf = (event: EventType): RecordType => event.split('.')[0] as RecordType;
