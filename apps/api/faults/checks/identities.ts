import type { Environment } from '../environment/environment.ts';
import type { Acknowledged } from '../load/writer.ts';
import { checkEach } from './check-each.ts';

/** Returns acknowledged users that have not exactly one identity at the identity provider, and whose user has another identity. */
export async function checkIdentities({ identity, database }: Environment, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const created = acknowledged.filter(({ event }) => event === 'user.created');
  const ofUsers = 'select id, id_identity as identity from users where id = any($1)';
  const users = await database.sql<{ id: string; identity: string }>(ofUsers, [created.map(({ recordId }) => recordId)]);
  const identities = new Map(users.map((user) => [user.id, user.identity]));
  return checkEach(created, async ({ request, recordId }) => {
    const { email } = request.body as { email: string };
    const found = await identity.realm.admin.users.find({ email, exact: true });
    if (found.length === 1 && found[0]?.id === identities.get(recordId)) return [];
    return [`user ${recordId} has ${found.length} identities, or another one`];
  });
}
