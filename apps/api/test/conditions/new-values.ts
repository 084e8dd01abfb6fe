import { exampleOf, type Input, smallestChanges } from '@profile-service/contracts/examples';
import type { Fixture } from '../endpoints/fixture-types.ts';
import type { Result } from '../endpoints/send.ts';
import { named, send, updates } from './versioned.ts';

/** A new value for each field of the type's PUT. Throws if one is missing. */
export async function otherValues(fixture: Fixture, type: string): Promise<Input> {
  const { name, endpoint } = named(updates, type);
  const values = (await exampleOf(name).changes?.(fixture)) ?? {};
  const missing = Object.keys(endpoint.body?.shape ?? {}).filter((field) => !(field in values));
  if (missing.length > 0) throw new Error(`Add changes of ${missing.join(', ')} to the example of ${name} in packages/contracts/examples`);
  return values;
}

/** The smallest changes of the record: one for each field of its PUT. */
export const changesOf = (fixture: Fixture, type: string): Promise<Input[]> =>
  smallestChanges(exampleOf(named(updates, type).name), fixture);

/** Changes a record through its PUT. */
export const change = async (fixture: Fixture, type: string, key: Input): Promise<Result> =>
  send(fixture, named(updates, type), { input: { ...(await otherValues(fixture, type)), ...key } });
