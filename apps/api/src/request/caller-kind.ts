import type { Caller } from '@profile-service/auth';
import type { Endpoint } from '@profile-service/contracts';

/** The kind of caller that an endpoint accepts: applications on `/service` endpoints, users on all others. */
export const callerKind = ({ access }: Endpoint): Caller['kind'] => (access.kind === 'service' ? 'service' : 'user');
