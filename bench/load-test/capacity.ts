import type { StreamResult, Stream, StreamsResult } from './stream.ts';
import type { Subject } from './subject.ts';

const warmUpSeconds = 15;
const seconds = 10;
/** More than the service runs at once, so that it always has a request to run. */
const connections = 32;

/** All of the equal tenants, by their indexes. */
export const allTenants = ({ world }: Subject): number[] => world.tokens.others.map((_, index) => index);

/** A stream of mixed requests of all tenants. */
export const mixedStream = (subject: Subject, pace: Stream['pace']): Stream => ({
  name: 'mixed',
  traffic: 'mixed',
  tenants: allTenants(subject),
  pace,
});

/** Returns the stream of this name. */
export function resultOf({ streams }: StreamsResult, name: string): StreamResult {
  const found = streams.find((stream) => stream.name === name);
  if (!found) throw new Error(`There is no stream ${name}`);
  return found;
}

/** Returns how many mixed requests the service completes in a second. */
export async function measureCapacity(subject: Subject): Promise<number> {
  const streams = [mixedStream(subject, { connections })];
  await subject.send(streams, warmUpSeconds);
  const { accepted, errors } = resultOf(await subject.send(streams, seconds), 'mixed');
  if (Object.keys(errors).length > 0) throw new Error(`Responses while the capacity was measured: ${JSON.stringify(errors)}`);
  return accepted / seconds;
}
