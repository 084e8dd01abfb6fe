import { run } from './command.ts';

/** Installs Python packages into a folder, so that the machine's own Python stays unchanged. @param packages each with its version */
export async function installPythonPackages(target: string, ...packages: string[]): Promise<void> {
  await run('python3', ['-m', 'pip', 'install', '--quiet', '--root-user-action=ignore', '--upgrade', '--target', target, ...packages]);
}
