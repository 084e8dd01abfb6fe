import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cachedFolder } from '../cached-folder.ts';
import { machinePath, root } from '../ci/command.ts';
import { installPythonPackages } from '../ci/python.ts';
import { exampleOutput, type Language } from './language.ts';

const requirements = join(root, 'examples', 'python', 'requirements.txt');

/** Version of Python and name of the platform: packages have compiled parts. */
const interpreter = (): string =>
  execFileSync('python3', ['-c', 'import sys, sysconfig; print(sys.implementation.cache_tag, sysconfig.get_platform(), sep="-")'], {
    encoding: 'utf8',
  }).trim();

/** What examples/python/backend.py prints with the demo data. */
const backendOutput = ['Otto Dias is in the tenant; the second call returned the same user.', 'Cooperativa Sertão Verde'];

/** openapi-python-client. */
export const python: Language = {
  folder: 'python',
  checks: ['checks.py', 'checks.py'],
  programs: ['python3 3.11', 'pip'],
  // Without a virtual environment, which cannot be moved into the cache.
  async prepare() {
    const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
    const folder = await cachedFolder(`clients-python-${interpreter()}-${hash}`, (target) =>
      installPythonPackages(target, '--require-hashes', '-r', requirements),
    );
    return { PYTHONPATH: folder, PATH: [join(folder, 'bin'), machinePath()].join(delimiter) };
  },
  steps: [
    {
      name: 'generate',
      // Fails on a warning, which tells of an operation or a schema that is left out.
      command: [
        'python3',
        '-m',
        'openapi_python_client',
        'generate',
        '--path',
        'openapi.json',
        '--config',
        'openapi-python-client.yaml',
        '--meta',
        'none',
        '--output-path',
        'profile_client',
        '--fail-on-warning',
      ],
    },
    { name: 'check the types', command: ['python3', '-m', 'mypy', '--strict', 'main.py', 'backend.py', 'checks.py', 'profile_client'] },
    { name: 'run the example', command: ['python3', 'main.py'], prints: exampleOutput },
    { name: 'run the backend', command: ['python3', 'backend.py'], prints: backendOutput },
    {
      name: 'checks',
      command: ['python3', '-m', 'unittest', '--verbose', 'checks'],
      checks: { line: /^test_\w+ .*\.\.\. (ok|FAIL|ERROR)$/gm, passed: 'ok' },
    },
  ],
};
