import { exampleOutput, type Language } from './language.ts';

const mvn = ['mvn', '--quiet', '--batch-mode'] as const;

/** openapi-generator with the library `native`. */
export const java: Language = {
  folder: 'java',
  checks: ['Checks.java', 'src/main/java/example/Checks.java'],
  programs: ['javac', 'mvn'],
  // The first compiler alone shortens short runs.
  prepare: () => Promise.resolve({ MAVEN_OPTS: `-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${process.env['MAVEN_OPTS'] ?? ''}` }),
  steps: [
    { name: 'generate and compile', command: [...mvn, 'compile'] },
    { name: 'run the example', command: [...mvn, 'exec:java'], prints: exampleOutput },
    {
      name: 'checks',
      command: [...mvn, 'exec:java', '-Dexec.mainClass=example.Checks'],
      checks: { line: /^(ok|not ok) - /gm, passed: 'ok' },
    },
  ],
};
