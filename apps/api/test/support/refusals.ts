import type { Service } from '../../src/service/service.ts';
import { metricOf } from './metrics.ts';

/** The number of requests that the service refused because of a concurrency limit of their tenant. The service needs a management port. */
export const refusalsOf = (service: Service): Promise<number> => metricOf(service, 'profile_rate_limited_total', /limit="tenant"/);
