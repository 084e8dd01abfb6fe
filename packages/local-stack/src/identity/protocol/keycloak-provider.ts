import { errors, Provider, type TokenEndpointGrantContext } from 'oidc-provider';

type Names = string | readonly string[] | ReadonlySet<string>;

/** The scopes of a realm of Keycloak. The stand-in grants openid, profile and email. */
const knownScopes = new Set(['openid', 'profile', 'email', 'acr', 'address', 'basic', 'microprofile-jwt', 'offline_access']);
for (const scope of ['organization', 'phone', 'roles', 'service_account', 'web-origins']) knownScopes.add(scope);

/** oidc-provider with Keycloak's treatment of the scope in a token request: an unknown one is an error, and a refresh may name any known one. */
export class KeycloakProvider extends Provider {
  override registerGrantType<Params extends object>(
    name: string,
    handler: (ctx: TokenEndpointGrantContext<Params>) => void | Promise<void>,
    ...rest: [params?: Names, duplicates?: Names]
  ): void {
    const withScope = async (ctx: TokenEndpointGrantContext<Params>) => {
      checkScope(ctx.oidc.params.scope);
      if (name === 'refresh_token') await narrowScope(ctx as TokenEndpointGrantContext<{ refresh_token?: string }>);
      await handler(ctx);
    };
    super.registerGrantType(name, withScope, ...rest);
  }
}

function checkScope(scope: string | undefined): void {
  if (scope !== undefined && scope.split(' ').some((one) => !knownScopes.has(one)))
    throw new errors.InvalidScope(`Invalid scopes: ${scope}`, scope);
}

/** Requests the token's own scopes. Only `openid` can be left out, since profile and email are defaults of the realm. */
async function narrowScope({ oidc }: TokenEndpointGrantContext<{ refresh_token?: string }>): Promise<void> {
  const { params, provider } = oidc;
  if (params.scope === undefined) return;
  const requested = params.scope.split(' ');
  const token = await provider.RefreshToken.find(params.refresh_token ?? '', { ignoreExpiration: true });
  const kept = [...(token?.scopes ?? [])].filter((scope) => scope !== 'openid' || requested.includes(scope));
  Object.assign(params, { scope: kept.length === 0 ? undefined : kept.join(' ') });
}
