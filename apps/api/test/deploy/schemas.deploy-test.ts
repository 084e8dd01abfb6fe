import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { describe, expect, test } from 'vitest';
import { kubernetesVersions, lint, ofKind, render, runProgram, valueFiles } from './helm.ts';

test.each(valueFiles)('helm lint --strict accepts the chart with the %s values', (file) => {
  expect(lint(file)).toMatchObject({ ok: true, stdout: expect.stringContaining('0 chart(s) failed') });
});

describe.each(kubernetesVersions)('Kubernetes %s', (version) => {
  test.each(valueFiles)('accepts every object of the %s values', (file) => {
    const { stdout, stderr } = render(file, {}, version);
    const { ok, lines } = validate(stdout, version);
    // Helm notes that the rules and the dashboard are linked files.
    expect(stderr.split('\n').filter((line) => line !== '' && !line.includes('found symbolic link'))).toEqual([]);
    expect(lines.filter((line) => !line.startsWith('INFO') && !/kind (ServiceMonitor|PrometheusRule) /.test(line))).toEqual([]);
    expect(ok).toBe(true);
    expect(lines.filter((line) => line.startsWith('INFO')).length).toBeGreaterThan(3);
  });
});

test('the schemas reject an object with an unknown field', () => {
  const budget = render('minimal')
    .stdout.split('---')
    .find((object) => object.includes('kind: PodDisruptionBudget'));
  expect(validate(`${budget}\n  unknownField: 1\n`, '1.37')).toMatchObject({ ok: false, lines: [expect.stringContaining('unknownField')] });
});

test('the schemas of the Prometheus Operator accept the PrometheusRule and the ServiceMonitor, and reject others', () => {
  const [rule] = ofKind('PrometheusRule', 'everything');
  const [monitor] = ofKind('ServiceMonitor', 'everything');
  expect(() => new PrometheusRule(rule).validate()).not.toThrow();
  expect(() => new PrometheusRule({ ...rule, spec: { groups: [{ rules: [] }] } }).validate()).toThrow('name');
  expect(() => new ServiceMonitor(monitor).validate()).not.toThrow();
  expect(() => new ServiceMonitor({ ...monitor, spec: { ...monitor.spec, endpoints: [{ interval: 30 }] } }).validate()).toThrow('interval');
});

/** Validates objects against the schemas of a version, without unknown fields. */
function validate(objects: string, version: string): { ok: boolean; lines: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-objects-'));
  try {
    writeFileSync(join(folder, 'objects.yaml'), objects);
    const args = ['-m', 'kubernetes_validate', '--strict', '-k', version, join(folder, 'objects.yaml')];
    const { ok, stdout, stderr } = runProgram('python3', args, { PYTHONPATH: process.env['KUBERNETES_VALIDATE'] ?? '' });
    return { ok, lines: `${stdout}${stderr}`.split('\n').filter((line) => line !== '') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
