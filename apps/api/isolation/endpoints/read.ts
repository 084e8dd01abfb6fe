import { recordOf, recordTypes } from '@profile-service/contracts';
import { type Key, tableOf } from '../../test/oracle/model.ts';
import { paging } from './draws.ts';
import { type Case, type Driver, type DrawContext, type Input, type Outcome, refuseFor } from './driver.ts';
import { drawFields, drawFilters, drawKey } from './fields.ts';
import { endpointOf, isVisible, unknownReferences } from './resource.ts';

/** Any response. The client still checks that it shows nothing outside the scope, and that the database is as before. */
const anything = (): Outcome => ({ body: (answered) => answered });

/**
 * The driver of an endpoint that only reads. Parameters name records by their type: `tenantId` a tenant, `id` a record of the endpoint's group. Records that
 * do not exist or are outside the scope cause the error codes that the endpoint declares.
 * @param respond predicts the response
 */
export function reading(name: string, respond: (it: Case) => Outcome = anything): Driver {
  const endpoint = endpointOf(name);
  const type = recordTypes.find((each) => recordOf(each).groups.includes(name.split('.').at(-2) ?? ''));
  const { id, ...references } = endpoint.params;
  return {
    draw: (context: DrawContext): Input => ({
      ...drawFields(context, references),
      ...(id && type ? { id: drawKey(context, type) } : {}),
      ...drawFilters(context, endpoint.query),
      ...('page' in endpoint.query ? paging(context) : {}),
    }),
    outcome(it) {
      const record = id && type ? tableOf(it.model, type).get(it.input['id'] as Key) : undefined;
      const isAbsent = id && type && !(record && isVisible(it, type, record));
      const codes = [...(isAbsent ? [recordOf(type).notFound ?? ''] : []), ...unknownReferences(it, endpoint, it.input)];
      return codes.length > 0 ? refuseFor(codes) : respond(it);
    },
  };
}
