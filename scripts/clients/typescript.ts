import { exampleOutput, type Language } from './language.ts';

/** openapi-typescript and openapi-fetch. */
export const typescript: Language = {
  folder: 'typescript',
  checks: ['checks.ts', 'checks.ts'],
  programs: [],
  steps: [
    { name: 'install', command: ['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline'] },
    { name: 'generate', command: ['npm', 'run', 'generate'] },
    { name: 'compile', command: ['npm', 'run', 'build'] },
    { name: 'run the example', command: ['npm', 'start'], prints: exampleOutput },
    {
      name: 'checks',
      command: ['node', '--test', '--test-reporter=tap', 'dist/checks.js'],
      checks: { line: /^ +(ok|not ok) \d+ - /gm, passed: 'ok' },
    },
  ],
};
