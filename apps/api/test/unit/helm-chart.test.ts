import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { SettingsError } from '@profile-service/operations/settings';
import { readSettings, settingNames } from '../../src/settings.ts';
import { read, readJson } from '../support/project-files.ts';

interface Schema {
  properties: Record<string, { properties: Record<string, { minimum?: number; maximum?: number }> }>;
}
const chart = 'deploy/helm/profile-service';
const { properties } = readJson<Schema>(`${chart}/values.schema.json`);
const namesOf = (value: string) => Object.keys(properties[value]?.properties ?? {});
const valuesIn = (file: string) => parse(read(`${chart}/${file}`)) as Record<string, object>;

/** Settings that the chart derives from other values: `ports`, `storageDir` and `ca.database`. NODE_ENV is always production. */
const derived = ['NODE_ENV', 'PORT', 'MANAGEMENT_PORT', 'STORAGE_DIR', 'DATABASE_CA_FILE'];

test('the chart can set every setting of the service, each in one place, and no other', () => {
  expect([...namesOf('settings'), ...namesOf('secretSettings'), ...derived].toSorted()).toEqual(settingNames.toSorted());
});

/** Whether the service rejects this value of the setting. */
function rejects(name: string, value: number): boolean {
  try {
    readSettings({ [name]: String(value) });
  } catch (error) {
    return error instanceof SettingsError && error.message.includes(`${name}:`);
  }
  return false;
}

test('the chart and the service have the same bounds', () => {
  const bounds = Object.entries(properties['settings']?.properties ?? {}).flatMap(([name, { minimum, maximum }]) =>
    minimum === undefined || maximum === undefined ? [] : [{ name, minimum, maximum }],
  );
  expect(bounds.length).toBeGreaterThan(10);
  for (const { name, minimum, maximum } of bounds) {
    const rejected = [minimum - 1, minimum, maximum, maximum + 1].map((value) => rejects(name, value));
    expect([name, ...rejected]).toEqual([name, true, false, false, true]);
  }
});

test('the value files use every setting', () => {
  const [everything, defaults] = [valuesIn('ci/everything-values.yaml'), valuesIn('values.yaml')];
  expect(Object.keys(everything['settings'] ?? {}).toSorted()).toEqual(namesOf('settings').toSorted());
  const secret = { ...defaults['secretSettings'], ...everything['secretSettings'] };
  expect(Object.keys(secret).toSorted()).toEqual(namesOf('secretSettings').toSorted());
  const text = read(`${chart}/values.yaml`);
  expect(namesOf('secretSettings').filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

test('credentials and personal data are only references to a Secret', () => {
  expect(namesOf('settings').filter((name) => /SECRET|PASSWORD|KEY|^BOOTSTRAP_|^(DATABASE|REDIS)_.*URL$|HEADERS$/.test(name))).toEqual([]);
});

test('the versions of the chart and of the service are equal', () => {
  const { version } = readJson<{ version: string }>('package.json');
  expect(valuesIn('Chart.yaml')).toMatchObject({ version, appVersion: version });
});
