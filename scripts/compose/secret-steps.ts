import { readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Steps } from '../ci/steps.ts';
import { type ClientSettings, portalToken } from './clients.ts';
import { expectEqual, expectPart } from './expect.ts';
import type { ComposeProject } from './project.ts';
import { checkRecords } from './records.ts';

/** Gives the running installation other secrets. @param files the settings that it has, and the same with other secrets */
export function secretSteps(project: ComposeProject, settings: ClientSettings, files: { development: string; rotated: string }): Steps {
  const { development: oldEnvFile, rotated: newEnvFile } = files;
  return {
    'with new secrets over old volumes, the migration fails and the API stays down': async () => {
      await project.compose('down');
      await project.withEnvFile(newEnvFile, async () => {
        const { code, text } = await project.result('up', '--detach');
        if (code === 0) throw new Error(`docker compose up did not fail:\n${text}`);
        expectPart('log of the migration', (await project.result('logs', 'migrate')).text, 'password authentication failed');
        for (const { State } of await project.containers('api')) expectEqual('state of the API', State.Status, 'created');
      });
    },

    'rotate-secrets.sh changes nothing if it cannot log in to Keycloak': async () => {
      const wrongFile = `${oldEnvFile}.wrong`;
      writeFileSync(wrongFile, `${readFileSync(oldEnvFile, 'utf8')}\nKC_BOOTSTRAP_ADMIN_PASSWORD=wrong\n`);
      project.envFile = newEnvFile;
      const { code, text } = await project.scriptResult('rotate-secrets.sh', wrongFile);
      if (code === 0) throw new Error(`rotate-secrets.sh did not fail:\n${text}`);
      expectPart('output', text, 'Nothing was changed');
      const { DATABASE_PASSWORD } = parseEnv(readFileSync(oldEnvFile, 'utf8'));
      const url = `postgres://profile:${DATABASE_PASSWORD}@127.0.0.1/profile`;
      const connection = await project.result('exec', '-T', 'postgres', 'psql', '--command', 'select 1', url);
      expectEqual('connection with the old password', [connection.code, connection.text.includes('1 row')], [0, true]);
    },

    'rotate-secrets.sh gives the volumes the new secrets, and keeps the password of the Global user': async () => {
      project.envFile = newEnvFile;
      await project.script('rotate-secrets.sh', oldEnvFile);
      const { BOOTSTRAP_GLOBAL_PASSWORD } = settings;
      const fresh = { ...settings, ...parseEnv(readFileSync(newEnvFile, 'utf8')), BOOTSTRAP_GLOBAL_PASSWORD };
      await checkRecords(fresh, project.records);
      await portalToken(fresh);
    },
  };
}
