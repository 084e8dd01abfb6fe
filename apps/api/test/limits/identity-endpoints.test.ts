import { endpoints } from '@profile-service/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { rest } from '../endpoints/send.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { validCall } from '../endpoints/calls.ts';
import { metricOf } from '../support/metrics.ts';

const fixture = useFixture();
let service: Service;
/** The calls of the service up to now. */
let counted: number;
beforeAll(async () => {
  service = await fixture.world.another({ MANAGEMENT_PORT: '0' });
  counted = await calls();
});

/** The number of look-ups and creations at the identity provider. A job sends the mails. */
const calls = () =>
  metricOf(service, 'profile_dependency_request_duration_seconds_count', /dependency="identity",operation="(find|create)/);

test.each(endpoints)('$name declares whether it calls the identity provider', async ({ name, endpoint }) => {
  const before = counted;
  const { status } = await rest({ ...(await validCall(fixture, name, endpoint)), url: service.url }, name, endpoint);
  expect(status).toBe(endpoint.success);
  counted = await calls();
  expect(counted > before).toBe(endpoint.reachesIdentityProvider);
});
