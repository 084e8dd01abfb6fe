import { cachedFolder } from '../cached-folder.ts';
import { installPythonPackages } from '../ci/python.ts';
import { installGoProgram } from '../go-program.ts';

const helm = { name: 'helm', path: 'helm.sh/helm/v3/cmd/helm', version: 'v3.19.2' };
const kubernetesValidate = 'kubernetes-validate==1.37.0';

/** The programs of the proof `deploy`, as environment variables for its tests. */
export interface Tools {
  HELM: string;
  PROMTOOL: string;
  /** Folder with the Python package kubernetes-validate, which contains the schemas of Kubernetes. */
  KUBERNETES_VALIDATE: string;
}

/** Installs the programs that pip and Go can install, in the cache. */
export async function installTools(): Promise<Tools> {
  return {
    HELM: await installGoProgram(helm),
    PROMTOOL: process.env['PROMTOOL'] ?? 'promtool',
    KUBERNETES_VALIDATE: await installKubernetesValidate(),
  };
}

const installKubernetesValidate = (): Promise<string> =>
  cachedFolder(kubernetesValidate.replace('==', '-'), (folder) => installPythonPackages(folder, kubernetesValidate));
