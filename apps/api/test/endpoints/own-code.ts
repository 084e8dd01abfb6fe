import type { ErrorCode } from '@profile-service/contracts';
import { absentId } from '../support/records.ts';
import type { Place } from './place.ts';
import { type Input, type RowName, sampleOf } from './samples.ts';

/** Makes the state, and gives the input to which a caller who may do everything gets the code (the tenant's administrator, where scenarios.ts says so). */
export type OwnCode = (place: Place) => Promise<Input>;
export type OwnCodes = Partial<Record<ErrorCode, OwnCode>>;

/** The row's sample with other values in it. */
export const but =
  (name: RowName, changes: (place: Place) => Input | Promise<Input>): OwnCode =>
  async (place) => ({ ...(await sampleOf(name)(place)), ...(await changes(place)) });
export const absent = (name: RowName, field: string) => but(name, () => ({ [field]: absentId }));
