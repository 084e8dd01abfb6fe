import { exampleOutput, type Language } from './language.ts';

/** oapi-codegen. */
export const go: Language = {
  folder: 'go',
  checks: ['checks_test.go', 'checks_test.go'],
  programs: ['go'],
  // An older Go fetches the one that go.mod asks for. Without cgo it needs no C compiler. Without optimization it builds the generator faster.
  prepare: () => Promise.resolve({ GOTOOLCHAIN: 'auto', GOFLAGS: "-modcacherw '-gcflags=all=-N -l -dwarf=false'", CGO_ENABLED: '0' }),
  steps: [
    { name: 'generate', command: ['go', 'generate'] },
    { name: 'vet', command: ['go', 'vet', './...'] },
    { name: 'compile', command: ['go', 'build', '-o', 'example', '.'] },
    { name: 'run the example', command: ['./example'], prints: exampleOutput },
    { name: 'checks', command: ['go', 'test', '-count=1', '-v', '.'], checks: { line: /^--- (PASS|FAIL): /gm, passed: 'PASS' } },
  ],
};
