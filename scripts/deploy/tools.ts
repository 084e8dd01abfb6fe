import { spawnSync } from 'node:child_process';
import { cachedFolder } from '../cached-folder.ts';
import { installPythonPackages } from '../ci/tools.ts';
import { installGoProgram } from '../go-program.ts';

const helm = { name: 'helm', path: 'helm.sh/helm/v3/cmd/helm', version: 'v3.19.2' };
const kubernetesValidate = 'kubernetes-validate==1.37.0';

/** The programs of `npm run test:deploy`, as environment variables for its tests. */
export interface Tools {
  HELM: string;
  PROMTOOL: string;
  /** Folder with the Python package kubernetes-validate, which contains the schemas of Kubernetes. */
  KUBERNETES_VALIDATE: string;
}

/** Finds the programs, and installs those that npm, pip and Go can install in the cache. @throws if a program is missing */
export async function installTools(): Promise<Tools> {
  const PROMTOOL = process.env['PROMTOOL'] ?? 'promtool';
  if (spawnSync(PROMTOOL, ['--version'], { stdio: 'ignore' }).status !== 0) {
    throw new Error(
      'promtool is missing: install the Debian package prometheus, or Prometheus from https://prometheus.io/download, or name the program in PROMTOOL.',
    );
  }
  return { HELM: await installGoProgram(helm), PROMTOOL, KUBERNETES_VALIDATE: await installKubernetesValidate() };
}

const installKubernetesValidate = (): Promise<string> =>
  cachedFolder(kubernetesValidate.replace('==', '-'), (folder) => installPythonPackages(folder, kubernetesValidate));
