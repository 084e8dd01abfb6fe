import { expect, test } from 'vitest';
import { assertServerVersion, ServerVersionError } from '../../src/connection/server-version.ts';

test('version 15 or later is required', () => {
  for (const version of [150_000, 150_014, 160_000, 210_000]) assertServerVersion(version);
  for (const [version, major] of [
    [149_999, 14],
    [90_624, 9],
  ] as const) {
    const error = new ServerVersionError(`PostgreSQL ${major} is too old: version 15 or later is required`);
    expect(() => assertServerVersion(version)).toThrow(error);
  }
});
