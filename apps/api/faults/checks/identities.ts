import type { Environment } from '../environment/environment.ts';
import type { Acknowledged } from '../load/writer.ts';

/** Returns acknowledged users that have not exactly one identity at the identity provider, and whose user has another identity. */
export async function checkIdentities({ identity, database }: Environment, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { request, recordId } of acknowledged.filter(({ event }) => event === 'user.created')) {
    const { email } = request.body as { email: string };
    const found = await identity.realm.admin.users.find({ email, exact: true });
    const [user] = await database.sql<{ identity: string }>('select id_identity as identity from users where id = $1', [recordId]);
    if (found.length !== 1 || found[0]?.id !== user?.identity)
      problems.push(`user ${recordId} has ${found.length} identities, or another one`);
  }
  return problems;
}
