import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments, stringify } from 'yaml';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));
const chart = join(root, 'deploy/helm/profile-service');

/** The value files of the chart's checks. */
export const valueFiles = ['minimal', 'folder', 'everything'] as const;
export type ValueFile = (typeof valueFiles)[number];

/** The oldest version that the chart allows, the newest one with schemas, and two between. */
export const kubernetesVersions = ['1.27', '1.30', '1.34', '1.37'];

/** A rendered object. Its fields differ by kind, so tests read them by path. */
export type KubernetesObject = any;

export interface Run {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export function runProgram(program: string, args: string[], env: Record<string, string> = {}): Run {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } });
  if (error) throw error;
  return { ok: status === 0, stdout, stderr };
}

/** Runs `helm lint --strict` with a value file. */
export const lint = (file: ValueFile): Run =>
  runProgram(process.env['HELM'] ?? 'helm', ['lint', '--strict', '--kube-version', '1.37.0', '--values', pathOf(file), chart]);

/** Renders the chart. @param file undefined for no value file  @param changes values that replace those of the file  @returns the output of Helm */
export function render(file: ValueFile | undefined, changes: object = {}, kubernetesVersion = '1.37'): Run {
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-chart-'));
  try {
    const changed = join(folder, 'values.yaml');
    writeFileSync(changed, stringify(changes));
    const values = [file && pathOf(file), changed].flatMap((path) => (path ? ['--values', path] : []));
    const args = ['template', 'release', chart, '--namespace', 'profiles', '--kube-version', `${kubernetesVersion}.0`, ...values];
    return runProgram(process.env['HELM'] ?? 'helm', args);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The rendered objects. @throws the message of Helm if it rejects the values */
export function objects(file: ValueFile, changes?: object): KubernetesObject[] {
  const { ok, stdout, stderr } = render(file, changes);
  if (!ok) throw new Error(stderr);
  return parseAllDocuments(stdout).flatMap((document) => (document.contents === null ? [] : [document.toJS() as KubernetesObject]));
}

/** The rendered objects of a kind. */
export const ofKind = (kind: string, file: ValueFile, changes?: object): KubernetesObject[] =>
  objects(file, changes).filter((object) => object.kind === kind);

const pathOf = (file: ValueFile): string => join(chart, 'ci', `${file}-values.yaml`);
