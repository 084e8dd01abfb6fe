import { describe, expect, test } from 'vitest';
import { type KubernetesObject, objects, ofKind, valueFiles } from './helm.ts';

/** The pod templates of the Deployment and of the jobs. */
const podsOf = (...args: Parameters<typeof objects>): KubernetesObject[] =>
  objects(...args).flatMap(({ kind, spec }) => (['Deployment', 'Job'].includes(kind) ? [spec.template] : []));

const isSecret = (name: string) => /^(DATABASE|REDIS)_.*URL$|SECRET|ACCESS_KEY|ENCRYPTION_KEY|^BOOTSTRAP/.test(name);

const deployment = (...args: Parameters<typeof objects>): KubernetesObject => ofKind('Deployment', ...args)[0];
const environmentOf = (...args: Parameters<typeof objects>): KubernetesObject[] => deployment(...args).spec.template.spec.containers[0].env;

describe.each(valueFiles)('with the %s values', (file) => {
  test('every pod meets the restricted Pod Security Standard, with a read-only file system and without a token', () => {
    const pods = podsOf(file);
    expect(pods.length).toBeGreaterThan(0);
    for (const { spec } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      const restricted = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
      const given = expect.anything() as unknown;
      for (const { securityContext, resources } of spec.containers) {
        expect(securityContext).toEqual(restricted);
        expect(resources).toMatchObject({ requests: { cpu: given, memory: given }, limits: { memory: given } });
      }
    }
  });

  test('secrets are references, and the chart creates none', () => {
    const rendered = objects(file);
    expect(rendered.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const variables = podsOf(file).flatMap(({ spec }) => spec.containers[0].env);
    const plain = variables.filter(({ name, valueFrom }) => isSecret(name) && typeof valueFrom?.secretKeyRef?.name !== 'string');
    expect(plain).toEqual([]);
    const config = rendered.find(({ kind }) => kind === 'ConfigMap');
    expect(Object.keys(config.data).filter(isSecret)).toEqual([]);
  });

  test('the Services and the policies select the pods of the Deployment', () => {
    const { labels } = deployment(file).spec.template.metadata;
    const selectors = objects(file).flatMap(({ kind, metadata, spec }) => {
      if (kind === 'Service') return [spec.selector];
      if (kind === 'PodDisruptionBudget') return [spec.selector.matchLabels];
      return kind === 'NetworkPolicy' && !metadata.annotations ? [spec.podSelector.matchLabels] : [];
    });
    expect(selectors.length).toBeGreaterThan(1);
    for (const selector of selectors) expect(labels).toMatchObject(selector);
  });

  test('the time for the stop exceeds the delay and the timeout of the shutdown by 5 s', () => {
    const [{ data }] = ofKind('ConfigMap', file);
    expect(deployment(file).spec.template.spec.terminationGracePeriodSeconds).toBe(
      Number(data.SHUTDOWN_DELAY_SECONDS) + Number(data.SHUTDOWN_TIMEOUT_SECONDS ?? 10) + 5,
    );
  });
});

test.each([1, 2, 6])('the disruption budget lets a node be drained with %s replicas', (replicaCount) => {
  const [{ spec }] = ofKind('PodDisruptionBudget', 'minimal', { replicaCount });
  expect(spec).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  expect(spec).not.toHaveProperty('minAvailable');
});

describe('the migration', () => {
  test('runs before the pods are replaced, and the geography after it', () => {
    const jobs = ofKind('Job', 'everything').map(({ metadata, spec }) => [spec.template.spec.containers[0].command, metadata.annotations]);
    const hook = { 'helm.sh/hook': 'pre-install,pre-upgrade' };
    expect(jobs).toEqual([
      [['node', 'dist/migrate.js'], expect.objectContaining({ ...hook, 'helm.sh/hook-weight': '0' })],
      [['node', 'dist/geography.js'], expect.objectContaining({ ...hook, 'helm.sh/hook-weight': '1' })],
    ]);
  });

  test('uses only objects that exist before the installation: no ConfigMap of the chart', () => {
    const names = ['DATABASE_DIRECT_URL', 'DATABASE_URL', 'DATABASE_CA_FILE', 'NODE_EXTRA_CA_CERTS'];
    for (const { spec } of ofKind('Job', 'everything')) {
      expect(JSON.stringify(spec.template)).not.toContain('envFrom');
      expect(spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name)).toEqual(names);
    }
  });

  test('may reach the database in a namespace that denies all traffic', () => {
    const policy = ofKind('NetworkPolicy', 'minimal').find(({ metadata }) => metadata.name.endsWith('-migration'));
    expect(policy.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-weight': '-1' });
    expect(ofKind('Job', 'minimal')[0].spec.template.metadata.labels).toMatchObject(policy.spec.podSelector.matchLabels);
    const ports = policy.spec.egress.flatMap((rule: KubernetesObject) => rule.ports.map(({ port }: { port: number }) => port));
    expect(ports).toEqual([53, 53, 5432]);
  });
});

describe('the network policy', () => {
  test('leaves out an egress rule without ports, which would allow all ports', () => {
    const egress = Object.fromEntries(['dns', 'redis', 'identityProvider', 'storage', 'collector'].map((to) => [to, { ports: [] }]));
    for (const { spec } of ofKind('NetworkPolicy', 'minimal', { networkPolicy: { egress } }))
      expect(spec.egress).toEqual([{ ports: [{ protocol: 'TCP', port: 5432 }] }]);
  });

  test('opens the management port for the monitoring namespace only', () => {
    const [{ spec }] = ofKind('NetworkPolicy', 'minimal');
    const from = (namespace: string) => [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }];
    expect(spec.ingress).toEqual([
      { ports: [{ protocol: 'TCP', port: 'http' }], from: from('ingress-nginx') },
      { ports: [{ protocol: 'TCP', port: 'management' }], from: from('monitoring') },
    ]);
  });
});

test('certificate authorities are mounted where the variables name them', () => {
  const [container] = deployment('everything').spec.template.spec.containers;
  const paths = environmentOf('everything').flatMap(({ name, value }) => (/CA_(FILE|CERTS)$/.test(name) ? [[name, value]] : []));
  expect(paths).toEqual([
    ['DATABASE_CA_FILE', '/etc/profile-service/ca/database/root.pem'],
    ['NODE_EXTRA_CA_CERTS', '/etc/profile-service/ca/extra/ca.crt'],
  ]);
  const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
  expect(mounts).toEqual(expect.arrayContaining(['/etc/profile-service/ca/database', '/etc/profile-service/ca/extra']));
});

test('a folder as storage is a volume, and needs no key', () => {
  const { volumes, containers } = deployment('folder').spec.template.spec;
  expect(volumes).toContainEqual({ name: 'files', persistentVolumeClaim: { claimName: 'profile-service-files' } });
  expect(containers[0].volumeMounts).toContainEqual({ name: 'files', mountPath: '/files' });
  expect(ofKind('ConfigMap', 'folder')[0].data).toMatchObject({ STORAGE_DIR: '/files' });
  expect(environmentOf('folder').filter(({ name }) => name.startsWith('STORAGE_'))).toEqual([]);
});

test('a changed setting replaces the pods', () => {
  const checksum = (level: string) =>
    deployment('minimal', { settings: { LOG_LEVEL: level } }).spec.template.metadata.annotations['checksum/settings'];
  expect(checksum('warn')).not.toBe(checksum('info'));
  expect(checksum('warn')).toBe(checksum('warn'));
});
