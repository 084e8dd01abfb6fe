import type { ErrorCode } from '@profile-service/contracts';
import { absentId } from '../support/records.ts';
import type { Fixture, Input } from './fixture-types.ts';
import type { EndpointName } from './samples.ts';

/** Creates the state that causes the error, and returns the input. The caller may do everything; calls.ts names the exceptions. */
export type ErrorScenario = (fixture: Fixture) => Promise<Input>;
export type ErrorScenarios = Partial<Record<ErrorCode, ErrorScenario>>;

/** A valid input with other values in it. */
export const but =
  (name: EndpointName, changes: (fixture: Fixture) => Input | Promise<Input>): ErrorScenario =>
  async (fixture) => ({ ...(await fixture.sharedInput(name)), ...(await changes(fixture)) });
/** A valid input with an id of no record in this field. */
export const absent = (name: EndpointName, field: string) => but(name, () => ({ [field]: absentId }));
