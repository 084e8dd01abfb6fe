import { delimiter, join } from 'node:path';
import { machinePath, root } from '../ci/command.ts';
import { cachedRequirements } from '../ci/python.ts';
import { exampleOutput, type Language } from './language.ts';

const requirements = join(root, 'examples', 'python', 'requirements.txt');

/** What examples/python/backend.py prints with the demo data. */
const backendOutput = ['Otto Dias is in the tenant; the second call returned the same user.', 'Cooperativa Sertão Verde'];

/** openapi-python-client. */
export const python: Language = {
  folder: 'python',
  checks: ['checks.py', 'checks.py'],
  programs: ['python3 3.11', 'pip'],
  async prepare() {
    const folder = await cachedRequirements('clients-python', requirements);
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
    {
      name: 'check the types',
      command: ['python3', '-m', 'mypy', '--strict', 'main.py', 'events.py', 'backend.py', 'checks.py', 'profile_client'],
    },
    { name: 'run the example', command: ['python3', 'main.py'], prints: exampleOutput },
    { name: 'run the backend', command: ['python3', 'backend.py'], prints: backendOutput },
    {
      name: 'checks',
      command: ['python3', '-m', 'unittest', '--verbose', 'checks'],
      checks: { line: /^test_\w+ .*\.\.\. (ok|FAIL|ERROR)$/gm, passed: 'ok' },
    },
  ],
};
