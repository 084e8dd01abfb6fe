import { type Endpoint, recordOf, type RecordType, recordTypeOf, recordTypes } from '@profile-service/contracts';

/** The types of the records by the group of the procedure, for endpoints without events. */
const typesByGroup = new Map(recordTypes.flatMap((type) => recordOf(type).groups.map((group) => [group, type] as const)));

/** The type of the endpoint's first event, or of its group: `service.organizations.list` belongs to `organizations`. */
export function recordTypeOfEndpoint(operation: string, { events: [event] }: Endpoint): RecordType | null {
  if (event) return recordTypeOf(event);
  return typesByGroup.get(operation.split('.').at(-2) ?? '') ?? null;
}
