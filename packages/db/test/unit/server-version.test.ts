import { expect, test } from 'vitest';
import { assertServerVersion, ServerVersionError } from '../../src/connection/server-version.ts';

test.each([150_000, 150_014, 160_000, 180_004, 210_000])('accepts the server_version_num %i', (version) => {
  expect(() => assertServerVersion(version)).not.toThrow();
});

test.each([
  [149_999, '14'],
  [140_019, '14'],
  [90_624, '9'],
])('rejects the server_version_num %i', (version, major) => {
  expect(() => assertServerVersion(version)).toThrow(
    new ServerVersionError(`PostgreSQL ${major} is too old: version 15 or later is required`),
  );
});
