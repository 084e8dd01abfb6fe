import { type IdentityProvider, startIdentityProvider } from '@profile-service/local-stack';
import { otherAdmins, personOf, user, usualAdmins } from '../data/people.ts';
import { sizes, tenant } from '../data/size.ts';
import { clientOf } from '../data/tables.ts';
import type { World } from '../work/world.ts';

const client = { clientId: 'profile-service', secret: 'bench-profile-service-secret' };
const tokenSeconds = 24 * 3600;

/** The identity provider of a run, with the settings of the servers that accept its tokens. */
export interface BenchIdentity {
  provider: IdentityProvider;
  settings: Record<string, string>;
  tokens: World['tokens'];
}

/** Starts the identity provider, and signs the tokens of all callers. The databases of all sizes have the same identities. */
export async function startBenchIdentity(): Promise<BenchIdentity> {
  const provider = await startIdentityProvider({ clients: [client] });
  // The claims of a token that Keycloak issues for a login, which make it 1 to 2 KB long.
  const sign = (n: number) => {
    const { identity, email, name } = personOf(n, sizes.small);
    return provider.sign(
      {
        sub: identity,
        azp: 'web',
        aud: [client.clientId, 'account'],
        sid: identity,
        jti: identity,
        acr: '1',
        scope: 'openid email profile',
        realm_access: { roles: ['offline_access', 'uma_authorization', 'default-roles-profile'] },
        resource_access: { account: { roles: ['manage-account', 'manage-account-links', 'view-profile'] } },
        email_verified: true,
        name,
        preferred_username: email,
        given_name: name,
        family_name: name,
        email,
      },
      { expiresIn: tokenSeconds },
    );
  };
  return {
    provider,
    settings: {
      IDENTITY_REALM_URL: provider.realmUrl,
      IDENTITY_AUTH_URL: provider.realmUrl,
      IDENTITY_CLIENT_ID: client.clientId,
      IDENTITY_CLIENT_SECRET: client.secret,
      IDENTITY_AUDIENCE: client.clientId,
    },
    tokens: {
      global: await sign(user.global),
      usual: await Promise.all(Array.from({ length: usualAdmins }, (_, index) => sign(user.usualMember + index))),
      largest: await sign(user.largestAdmin),
      onePage: await sign(user.onePageAdmin),
      tenThousand: await sign(user.tenThousandAdmin),
      others: await Promise.all(
        otherAdmins(sizes['load-test']).map(async (admin) => ({ tenant: admin.tenant, token: await sign(admin.user) })),
      ),
      application: await provider.sign(
        { sub: 'service-account', azp: clientOf(tenant.usual), aud: client.clientId, clientHost: '127.0.0.1' },
        { expiresIn: tokenSeconds },
      ),
    },
  };
}
