import { chosenLanguages } from '../clients/languages.ts';
import { installKeycloak } from '../keycloak/install.ts';
import type { ProgramName } from '../programs.ts';
import { receivers } from '../receivers/receiver.ts';
import { installToxiproxy } from '../storage/toxiproxy.ts';
import { installVersitygw } from '../storage/versitygw.ts';

/** A long test, which ends with the line `N passed, N failed`. */
interface Proof {
  /** What it proves. */
  title: string;
  /** Its usual time on two cores. */
  time: string;
  /** The programs that it needs with these environment variables. */
  needs: (env: NodeJS.ProcessEnv) => readonly ProgramName[];
  /** An environment variable that replaces programs. */
  setting?: string;
  /** Path of its program from the root. */
  main: string;
  /** Builds what takes long, before the program starts. */
  prepare?: () => Promise<void>;
}

const nothing = (): readonly ProgramName[] => [];

const list = {
  keycloak: {
    title: 'users, tokens and logins on a real Keycloak',
    time: '2 min',
    needs: ({ KEYCLOAK_URL }) => [...(KEYCLOAK_URL ? [] : (['java', 'mvn'] as const)), 'chromium'],
    setting: 'KEYCLOAK_URL: a running Keycloak',
    main: 'scripts/proof/keycloak.ts',
  },
  storage: {
    title: 'attachments and the object storage on a real S3 gateway',
    time: '2 min',
    needs: ({ STORAGE_ENDPOINT }) => (STORAGE_ENDPOINT ? [] : ['go']),
    setting: 'STORAGE_ENDPOINT and other STORAGE_ settings: an S3 endpoint',
    main: 'scripts/proof/storage.ts',
  },
  clients: {
    title: 'clients in four languages, generated from the OpenAPI document',
    time: '4 min',
    needs: () => chosenLanguages().flatMap(({ programs }) => programs),
    setting: 'CLIENTS: languages, such as ts,python',
    main: 'scripts/proof/clients.ts',
  },
  receivers: {
    title: 'receivers of webhooks in four frameworks, also with events of the service',
    time: '1 min',
    needs: () => receivers.flatMap(({ programs }) => programs),
    main: 'scripts/proof/receivers.ts',
  },
  deploy: {
    title: 'the Helm chart and the alert rules',
    time: '1 min',
    needs: () => ['go', 'pip', 'promtool'],
    setting: 'PROMTOOL: path of the program',
    main: 'scripts/proof/deploy.ts',
  },
  compose: {
    title: 'the images and the compose file, as an operator uses them',
    time: '10 min',
    needs: () => ['docker'],
    main: 'scripts/proof/compose.ts',
  },
  postgres15: {
    title: 'all tests on PostgreSQL 15',
    time: '5 min',
    needs: () => ['postgres 15', 'redis-server', 'pgbouncer', 'chromium'],
    setting: 'POSTGRES_BIN: folder of the programs of PostgreSQL 15',
    main: 'scripts/proof/postgres15.ts',
  },
  recovery: {
    title: 'backup, restore and point-in-time recovery on PostgreSQL 15',
    time: '2 min',
    needs: () => ['postgres 15', 'redis-server'],
    setting: 'POSTGRES_BIN: folder of the programs of PostgreSQL 15',
    main: 'scripts/proof/recovery.ts',
  },
  faults: {
    title: 'each part of an installation fails under load',
    time: '8 min',
    needs: () => ['redis-server', 'go', 'java', 'mvn', 'libfaketime'],
    main: 'apps/api/faults/main.ts',
    async prepare() {
      await installVersitygw();
      await installToxiproxy();
      await installKeycloak();
    },
  },
  events: {
    title: 'feed, streams, webhooks and the typed client deliver each event, whatever fails',
    time: '2 min',
    needs: nothing,
    main: 'apps/api/events/main.ts',
  },
  bulk: {
    title: 'export and import of a million rows: exactly once, memory, speed',
    time: '40 min',
    needs: nothing,
    main: 'bench/bulk/main.ts',
  },
  load: {
    title: 'sustained load, overload, and the load of one tenant',
    time: '20 min',
    needs: nothing,
    main: 'bench/load-test/main.ts',
  },
  isolation: {
    title: 'random worlds against a model of the permissions',
    time: '3 min',
    needs: nothing,
    main: 'apps/api/isolation/main.ts',
  },
  fuzz: {
    title: 'requests of schemathesis against the OpenAPI document',
    time: '2 min',
    needs: () => ['python3 3.11', 'pip'],
    main: 'apps/api/fuzz/main.ts',
  },
  mutants: {
    title: 'changes of the source that break a guarantee, each detected by its test',
    time: '60 min',
    needs: nothing,
    main: 'apps/api/mutants/main.ts',
  },
} satisfies Record<string, Proof>;

export type ProofName = keyof typeof list;
export const proofs: Readonly<Record<ProofName, Proof>> = list;
export const proofNames = Object.keys(proofs) as ProofName[];

export const isProofName = (name: string): name is ProofName => Object.hasOwn(proofs, name);

/** Describes each proof in some lines: name, time, what it proves, what it needs. */
export function describeProofs(): string {
  return proofNames
    .map((name) => {
      const { title, time, needs, setting } = proofs[name];
      const programs = needs({}).join(', ') || 'nothing besides npm packages';
      return [`${name.padEnd(11)}${time.padStart(6)}  ${title}`, `needs ${programs}`, ...(setting ? [setting] : [])].join(
        `\n${' '.repeat(19)}`,
      );
    })
    .join('\n');
}
