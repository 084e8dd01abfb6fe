import { isProfileError } from '@profile-service/client';
import { root } from '../ci/command.ts';
import type { Steps } from '../ci/steps.ts';
import { clientOf, type ClientSettings, logIn } from './clients.ts';
import { eventually } from '../../test/eventually.ts';
import { expectEqual } from './expect.ts';
import { commandsOf } from './page.ts';
import type { ComposeProject } from './project.ts';
import { checkRecords, createUser, upload } from './records.ts';

interface Readiness {
  status: string;
  checks: Record<string, string>;
}

/** Stops each dependency in turn, and starts it again. */
export function dependencySteps(project: ComposeProject, settings: ClientSettings): Steps {
  const readiness = async (): Promise<[number, Readiness]> => {
    const response = await fetch(`${settings.PUBLIC_URL}/health/ready`);
    return [response.status, (await response.json()) as Readiness];
  };

  /** Stops the container, waits until the API reports it, runs the action, and starts it again. Then everything must work within 2 minutes. */
  async function without(container: string, check: string, during: (token: string) => Promise<void>): Promise<void> {
    const token = await logIn(settings);
    await project.compose('stop', container);
    try {
      await eventually(async () => expectEqual(check, (await readiness())[1].checks[check], 'down'));
      await eventually(async () => {
        const text = await project.commands(commandsOf('5. Watch it'), root);
        const { reasons } = JSON.parse(text) as { reasons: Record<string, string> };
        if (!reasons[check]) throw new Error(`There is no reason for ${check}: ${text}`);
      });
      await during(token);
    } finally {
      await project.compose('start', container);
    }
    await eventually(async () => expectEqual('readiness', (await readiness())[1].status, 'ok'));
    await checkRecords(settings, project.records);
    await upload(clientOf(settings, await logIn(settings)), project.records.organizationId);
  }

  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'no error',
      (error: unknown) => (isProfileError(error) ? error.code : String(error)),
    );

  return {
    'without Redis, requests succeed': () =>
      without('redis', 'cache', async (token) => {
        expectEqual('readiness', (await readiness())[0], 200);
        await clientOf(settings, token).states.list.query();
      }),

    'without the storage, only files fail': () =>
      without('storage', 'storage', async (token) => {
        const client = clientOf(settings, token);
        await client.states.list.query();
        expectEqual('upload', await codeOf(upload(client, project.records.organizationId)), 'FailedToUploadFileError');
      }),

    'without Keycloak, tokens are verified and user creation is 503': () =>
      without('keycloak', 'identity', async (token) => {
        const client = clientOf(settings, token);
        await client.states.list.query();
        expectEqual('user creation', await codeOf(createUser(client, 'bia@example.com', '39053344705')), 'IDENTITY_PROVIDER_UNAVAILABLE');
      }),

    'without PostgreSQL, the instance is not ready': async () => {
      const token = await logIn(settings);
      await project.compose('stop', 'postgres');
      try {
        // The proxy keeps out an instance that is not ready.
        await eventually(async () => expectEqual('status', (await fetch(`${settings.PUBLIC_URL}/health/ready`)).status, 503));
      } finally {
        await project.compose('start', 'postgres');
      }
      await eventually(async () => expectEqual('readiness', (await readiness())[1].status, 'ok'));
      await clientOf(settings, token).states.list.query();
      await eventually(() => checkRecords(settings, project.records));
    },
  };
}
