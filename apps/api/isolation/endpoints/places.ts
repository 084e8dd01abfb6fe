import { unsetFields } from '@profile-service/contracts/examples';
import type { Address, Model } from '../../test/oracle/model.ts';
import { anyCode, next } from './draws.ts';
import type { DrawContext, Input } from './driver.ts';

/** The required fields of an address. Sometimes its city or state does not exist, or they do not match. */
export function drawAddress({ model, random }: DrawContext): Input {
  const city = random.pick([...model.cities.values()]);
  const right = { cityCode: city?.ibgeCode ?? -1, stateCode: city?.stateCode ?? -1 };
  const wrong = () =>
    random.oneOf({ ...right, cityCode: -1 }, { ...right, stateCode: -1 }, { ...right, stateCode: anyCode({ random }, model.states) });
  return { zipCode: '01001000', street: `Street m${next()}x`, number: '1', ...(random.chance(0.85) ? right : wrong()) };
}

export const makeAddress = (fields: Input, id: string, organizationId: string): Address =>
  ({ ...unsetFields('organizationAddresses.create'), ...fields, id, organizationId }) as unknown as Address;

/** What is wrong with a city and a state. The state is checked first. */
export function placeFault(model: Model, { cityCode, stateCode }: Input): 'state' | 'city' | 'mismatch' | null {
  const city = model.cities.get(Number(cityCode));
  if (!model.states.has(Number(stateCode))) return 'state';
  if (!city) return 'city';
  return city.stateCode === Number(stateCode) ? null : 'mismatch';
}
