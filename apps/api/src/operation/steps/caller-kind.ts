import type { Caller } from '@profile-service/auth';
import type { Endpoint } from '@profile-service/contracts';

/** `/service` endpoints are for applications, all others for users. */
export const callerKind = ({ access }: Endpoint): Caller['kind'] => (access.kind === 'service' ? 'service' : 'user');
