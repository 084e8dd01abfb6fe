import { endpoints } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { rest } from '../endpoints/send.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { validCall } from '../endpoints/calls.ts';
import { metricOf } from '../support/metrics.ts';

const fixture = useFixture();
const service = duringTests(() => fixture.world.another({ MANAGEMENT_PORT: '0' }));

/** The number of look-ups and creations at the identity provider. A job sends the mails. */
const calls = () =>
  metricOf(service, 'profile_dependency_request_duration_seconds_count', /dependency="identity",operation="(find|create)/);

test.each(endpoints)('$name declares whether it calls the identity provider', async ({ name, endpoint }) => {
  const before = await calls();
  const { status } = await rest({ ...(await validCall(fixture, name, endpoint)), url: service.url }, name, endpoint);
  expect(status).toBe(endpoint.success);
  expect((await calls()) > before).toBe(endpoint.reachesIdentityProvider);
});
