import { z } from 'zod';
import { storageShape } from '@profile-service/storage';

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/**
 * Timeouts, besides those of the storage. docs/run/figures.md has the measurements behind the defaults. The upper bounds keep each wait of a request below the 120 seconds
 * after which the server closes a silent connection.
 */
export const timeoutShape = {
  HTTP_HEADERS_TIMEOUT_SECONDS: whole(1, 60).default(10),
  HTTP_REQUEST_TIMEOUT_SECONDS: whole(1, 110).default(60),
  HTTP_KEEP_ALIVE_TIMEOUT_SECONDS: whole(1, 3_600).default(65),
  SHUTDOWN_TIMEOUT_SECONDS: whole(5, 3_600).default(10),
  DATABASE_POOL_TIMEOUT_SECONDS: whole(1, 30).default(5),
  // The connection itself has a socket timeout of 2 seconds.
  REDIS_TIMEOUT_MILLISECONDS: whole(10, 1_500).default(250),
  // A user creation sends up to four requests.
  IDENTITY_TIMEOUT_SECONDS: whole(1, 15).default(5),
};

/** All settings that `orders` names. */
const shape = { ...timeoutShape, ...storageShape };
type NumberName = { [Name in keyof typeof shape]: z.output<(typeof shape)[Name]> extends number ? Name : never }[keyof typeof shape];

/** Pairs of settings of which the first must not be longer than the second. */
const orders: readonly [shorter: NumberName, longer: NumberName, reason: string][] = [
  ['HTTP_HEADERS_TIMEOUT_SECONDS', 'HTTP_REQUEST_TIMEOUT_SECONDS', 'the headers are a part of the request'],
  ['STORAGE_CONNECT_TIMEOUT_SECONDS', 'STORAGE_TIMEOUT_SECONDS', 'a request to the storage includes the connection'],
];

/** Finds timeouts that do not work together. Ignores invalid values. @returns one line for each error */
export function findTimeoutErrors(variables: Record<string, string | undefined>): string[] {
  const valueOf = (name: NumberName) => shape[name].safeParse(variables[name]).data;
  return orders.flatMap(([shorter, longer, reason]) => {
    const [least, most] = [valueOf(shorter), valueOf(longer)];
    if (least === undefined || most === undefined || least <= most) return [];
    return [`${shorter} (${least}) must not be longer than ${longer} (${most}): ${reason}`];
  });
}
