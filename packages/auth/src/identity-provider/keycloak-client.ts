import KcAdminClient from '@keycloak/keycloak-admin-client';
import { decodeJwt } from 'jose';
import { untraced } from '../trace-call.ts';
import { asUnavailable, explainMailLink, isConnectionError, isUnavailable, statusOf } from './errors.ts';
import { explainResponse, parseUsers } from './responses.ts';
import type { IdentityProvider, IdentityProviderOptions } from './identity-provider.ts';
import { explainRejection } from './rejection.ts';

const maxAttempts = 3;
/** How long before it expires a token is renewed, in milliseconds. */
const renewBeforeMs = 15_000;
/** What a new user must do at the first login. */
const requiredActions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];

/** Creates the client of Keycloak's admin API. It retries failed connections and renews its token before it expires. */
export function createKeycloakClient(options: IdentityProviderOptions): IdentityProvider {
  const [baseUrl = '', realmName = ''] = options.realmUrl.split('/realms/');
  const admin = new KcAdminClient({ baseUrl, realmName, timeout: options.timeoutMs });
  let expiresAt = 0;
  let authentication: Promise<void> | undefined;

  async function authenticate(): Promise<void> {
    const { clientId, clientSecret } = options;
    await explainResponse(() => admin.auth({ grantType: 'client_credentials', clientId, clientSecret }));
    const { exp = 0 } = await explainResponse(() => decodeJwt(admin.accessToken ?? ''));
    expiresAt = exp * 1000;
  }

  async function authenticated<T>(operation: () => Promise<T>): Promise<T> {
    if (Date.now() > expiresAt - renewBeforeMs) {
      authentication ??= authenticate().finally(() => (authentication = undefined));
      await authentication;
    }
    try {
      return await explainResponse(operation);
    } catch (error) {
      // Keycloak has revoked the token: the next attempt gets a new one.
      if (statusOf(error) === 401) expiresAt = 0;
      throw error;
    }
  }

  const { trace = untraced } = options;
  const call = <T>(name: string, operation: () => Promise<T>): Promise<T> => trace(name, () => callWithRetries(name, operation));

  async function callWithRetries<T>(name: string, operation: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await authenticated(operation);
        options.onCall?.(name, true, (performance.now() - startedAt) / 1000);
        return result;
      } catch (error) {
        const isTransient = isConnectionError(error) || statusOf(error) === 401;
        if (isTransient && attempt < maxAttempts) {
          await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
          continue;
        }
        options.onCall?.(name, !isUnavailable(error), (performance.now() - startedAt) / 1000);
        throw error;
      }
    }
  }

  const findByEmail: IdentityProvider['findByEmail'] = (email) =>
    asUnavailable(async () => {
      const found = await call('find', async () => parseUsers(await admin.users.find({ email, exact: true, max: 2 })));
      const identity = found.find((user) => user.email?.toLowerCase() === email);
      if (!identity) return null;
      return { subject: identity.id, needsPassword: identity.requiredActions?.includes('UPDATE_PASSWORD') ?? false };
    });

  return {
    findByEmail,

    create: ({ email, name }) =>
      asUnavailable(async () => {
        const { firstName, lastName } = splitName(name);
        const user = { username: email, email, firstName, lastName, enabled: true, requiredActions };
        try {
          const { id } = await call('create', () => admin.users.create(user));
          return { subject: id, needsPassword: true };
        } catch (error) {
          const rejection = explainRejection(error);
          if (rejection) throw rejection;
          const existing = statusOf(error) === 409 ? await findByEmail(email) : null;
          if (!existing) throw error;
          return existing;
        }
      }),

    sendPasswordMail: (subject) =>
      asUnavailable(async () => {
        const mail = { id: subject, actions: requiredActions, ...options.mailLink };
        await call('mail', () => admin.users.executeActionsEmail(mail)).catch((error: unknown) => {
          throw explainMailLink(error) ?? error;
        });
      }),
  };
}

/** Splits a name at the first space, because the provider requires a first and a last name. A single word becomes both (IDENTITY-1). */
export function splitName(name: string): { firstName: string; lastName: string } {
  const trimmed = name.trim();
  const space = trimmed.indexOf(' ');
  return space < 0
    ? { firstName: trimmed, lastName: trimmed }
    : { firstName: trimmed.slice(0, space), lastName: trimmed.slice(space + 1).trim() };
}
