import { describe, expect, test } from 'vitest';
import { readSettings } from '../../src/settings.ts';
import { objects, ofKind, render, type ValueFile, valueFiles } from './helm.ts';

/** The environment of the container, with a value that fits for each secret. */
function environment(file: ValueFile): Record<string, string> {
  const [{ data }] = ofKind('ConfigMap', file);
  const [{ spec }] = ofKind('Deployment', file);
  const database = 'postgres://db/profile';
  const secrets: Record<string, string> = {
    DATABASE_URL: database,
    DATABASE_DIRECT_URL: database,
    DATABASE_REPLICA_URL: database,
    REDIS_URL: 'redis://redis',
    BOOTSTRAP_GLOBAL_EMAIL: 'a@example.com',
    BOOTSTRAP_GLOBAL_TAX_ID: '52998224725',
    WEBHOOK_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  };
  const variables = spec.template.spec.containers[0].env as { name: string; value?: string }[];
  const entries = variables.map(({ name, value }) => [name, value ?? secrets[name] ?? 'secret']);
  return { ...data, ...Object.fromEntries(entries), DATABASE_CA_FILE: import.meta.filename };
}

describe('the settings', () => {
  test.each(valueFiles)('of the %s values are accepted by the service', (file) => {
    expect(() => readSettings(environment(file), { requireAudience: true })).not.toThrow();
  });

  test('are written as they are given, also large numbers', () => {
    expect(ofKind('ConfigMap', 'everything')[0].data).toMatchObject({
      ATTACHMENT_MAX_BYTES: '5368709120',
      STORAGE_FORCE_PATH_STYLE: 'false',
      RATE_LIMIT_IDENTITY_PER_SECOND: '0',
      TRUST_PROXY: '10.0.0.0/8, 2001:db8::7',
      PORT: '8000',
      MANAGEMENT_PORT: '9000',
    });
  });
});

describe('the Ingress', () => {
  const ingress = { enabled: true, host: 'profiles.example.com', tlsSecret: 'tls' };
  const settings = { TRUST_PROXY: 1, ATTACHMENT_MAX_BYTES: 104_857_600 };

  test('allows the largest file and the rest of its form', () => {
    const [{ metadata }] = ofKind('Ingress', 'minimal', { ingress, settings });
    expect(metadata.annotations).toEqual({ 'nginx.ingress.kubernetes.io/proxy-body-size': String(104_857_600 + 1_048_576) });
  });

  test('gives the service its public address', () => {
    expect(ofKind('ConfigMap', 'minimal', { ingress, settings })[0].data).toMatchObject({ PUBLIC_URL: 'https://profiles.example.com' });
    const own = { ...settings, PUBLIC_URL: 'https://api.example.com' };
    expect(ofKind('ConfigMap', 'minimal', { ingress, settings: own })[0].data).toMatchObject({ PUBLIC_URL: 'https://api.example.com' });
  });
});

test('with autoscaling, the Deployment does not set the number of pods', () => {
  expect(ofKind('Deployment', 'minimal')[0].spec.replicas).toBe(2);
  expect(ofKind('Deployment', 'minimal', { autoscaling: { enabled: true } })[0].spec).not.toHaveProperty('replicas');
  expect(objects('minimal').map(({ kind }) => kind)).not.toContain('HorizontalPodAutoscaler');
});

describe('helm rejects', () => {
  const secret = { DATABASE_URL: 'postgres://u:p@db/profile' };
  test.each<[string, object, string]>([
    ['an unknown value', { replicas: 3 }, "additional properties 'replicas' not allowed"],
    ['an unknown setting', { settings: { LOG_LEVL: 'info' } }, "at '/settings': additional properties 'LOG_LEVL' not allowed"],
    ['a secret among the plain settings', { settings: secret }, "at '/settings': additional properties 'DATABASE_URL' not allowed"],
    ['the value of a secret', { secretSettings: secret }, "at '/secretSettings/DATABASE_URL': got string, want object"],
    ['a setting that is out of bounds', { settings: { DATABASE_POOL_MAX: 1 } }, "at '/settings/DATABASE_POOL_MAX': minimum: got 1, want 2"],
    ['an issuer without a realm', { settings: { IDENTITY_REALM_URL: 'https://id.example.com' } }, "at '/settings/IDENTITY_REALM_URL'"],
    ['a bucket and a folder', { storageDir: { existingClaim: 'files' } }, "at '/settings/STORAGE_BUCKET'"],
    ['a budget that blocks a drain', { podDisruptionBudget: { maxUnavailable: 0 } }, "at '/podDisruptionBudget/maxUnavailable'"],
    ['no Secret', { existingSecret: '' }, 'existingSecret is not set: name the Secret that contains DATABASE_URL'],
    ['an Ingress without a host', { ingress: { enabled: true }, settings: { TRUST_PROXY: 1 } }, "at '/ingress/host'"],
    ['an Ingress without TRUST_PROXY', { ingress: { enabled: true, host: 'a.example.com' } }, 'settings.TRUST_PROXY is not set'],
    ['a minReplicas above maxReplicas', { autoscaling: { enabled: true, minReplicas: 7 } }, 'autoscaling.minReplicas is 7: it must not'],
    ['a privileged port', { ports: { http: 80 } }, "at '/ports/http': minimum: got 80, want 1,024"],
  ])('%s', (_case, changes, message) => {
    const { ok, stderr } = render('minimal', changes);
    expect(ok).toBe(false);
    expect(stderr).toContain(message);
  });

  test('values without the required settings, and names them', () => {
    const { ok, stderr } = render(undefined, { existingSecret: 'profile-service' });
    expect(ok).toBe(false);
    expect(stderr).toContain("missing properties 'IDENTITY_REALM_URL', 'IDENTITY_AUTH_URL', 'IDENTITY_AUDIENCE', 'IDENTITY_CLIENT_ID'");
    expect(stderr).toContain("missing properties 'STORAGE_ENDPOINT', 'STORAGE_BUCKET'");
  });

  test('a version of Kubernetes that the chart does not support', () => {
    const stderr = expect.stringContaining('chart requires kubeVersion: >=1.27');
    expect(render('minimal', {}, '1.26')).toMatchObject({ ok: false, stderr });
  });
});
