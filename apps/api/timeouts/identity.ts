import { createIdentityProvider, internalUrlRewrite, Issuer } from '@profile-service/auth';
import { startKeycloak } from '../../../scripts/keycloak/server.ts';
import { createRealm } from '../../../test/keycloak/create-realm.ts';
import { realmOfFile, realmSettings } from '../../../test/keycloak/realm-file.ts';
import { describeDurations, repeat, timed } from '../../../test/durations.ts';

/** Measures the calls of the service to a Keycloak that has just started, where the first calls are the slowest, then 20 at once. */
export async function measureIdentity(): Promise<void> {
  const { access, stop } = await startKeycloak();
  try {
    const realm = await createRealm(access, realmOfFile());
    const rewrite = internalUrlRewrite(realm.url, access.internalUrl);
    const client = createIdentityProvider({
      realmUrl: rewrite(realm.url),
      clientId: 'profile-service',
      clientSecret: realmSettings.IDENTITY_CLIENT_SECRET,
      timeoutMs: 60_000,
    });
    const issuer = new Issuer(realm.url, rewrite, { timeoutMs: 60_000 });
    const times = { keys: [] as number[], find: [] as number[], create: [] as number[], mail: [] as number[] };
    const newUser = async (n: number) => {
      const email = `person-${n}@example.com`;
      await timed(times.keys, () => issuer.refresh());
      await timed(times.find, () => client.findByEmail(email));
      const { subject } = await timed(times.create, () => client.create({ email, name: 'Ana Souza' }));
      await timed(times.mail, () => client.sendPasswordMail(subject));
    };
    await newUser(0);
    console.log('first calls after the start of Keycloak (find: with the token)');
    for (const [name, values] of Object.entries(times)) console.log(describeDurations({ name, times: values.splice(0) }));
    await repeat(1_000, 20, newUser);
    console.log('20 at once');
    for (const [name, values] of Object.entries(times)) console.log(describeDurations({ name, times: values }));
    await realm.stop();
  } finally {
    await stop();
  }
}
