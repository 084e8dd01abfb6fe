import KcAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client';
import { ProblemError } from '@profile-service/contracts';
import { decodeJwt } from 'jose';

const defaultTimeoutMs = 5_000;
const connectionAttempts = 3;
const renewBeforeMs = 15_000;
const requiredActions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];

export interface Identity {
  subject: string;
  /** The person must still set a password, so the password mail is due. */
  needsPassword: boolean;
}

export interface Person {
  email: string;
  name: string;
}

/** The admin API of the identity provider, as far as this service needs it. Every failure is IDENTITY_PROVIDER_UNAVAILABLE. */
export interface IdentityProvider {
  findByEmail(email: string): Promise<Identity | null>;
  /** Creates the identity, or uses one that was created meanwhile. Throws VALIDATION_FAILED when the provider rejects the person's data. */
  create(person: Person): Promise<Identity>;
  sendPasswordMail(subject: string): Promise<void>;
}

export interface IdentityProviderOptions {
  /** The provider's address without `/realms/…`. */
  baseUrl: string;
  realm: string;
  clientId: string;
  clientSecret: string;
  /** Time limit of a request to the provider, 5 seconds by default. */
  timeoutMs?: number | undefined;
  onCall?: (operation: string, ok: boolean, seconds: number) => void;
}

/** Uses Keycloak through its admin client. Every wait has a limit, a failed connection is retried, and a token is renewed before it expires. */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const admin = new KcAdminClient({ baseUrl: options.baseUrl, realmName: options.realm, timeout: options.timeoutMs ?? defaultTimeoutMs });
  let expiresAt = 0;
  let authentication: Promise<void> | undefined;

  async function authenticate(): Promise<void> {
    await admin.auth({ grantType: 'client_credentials', clientId: options.clientId, clientSecret: options.clientSecret });
    expiresAt = (decodeJwt(admin.accessToken ?? '').exp ?? 0) * 1000;
  }

  async function authenticated<T>(operation: () => Promise<T>): Promise<T> {
    if (Date.now() > expiresAt - renewBeforeMs) {
      authentication ??= authenticate().finally(() => (authentication = undefined));
      await authentication;
    }
    try {
      return await operation();
    } catch (error) {
      // Keycloak no longer accepts the token: the next attempt gets a new one.
      if (statusOf(error) === 401) expiresAt = 0;
      throw error;
    }
  }

  async function call<T>(name: string, operation: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await authenticated(operation);
        options.onCall?.(name, true, (performance.now() - startedAt) / 1000);
        return result;
      } catch (error) {
        const transient = isConnectionError(error) || statusOf(error) === 401;
        if (transient && attempt < connectionAttempts) {
          await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
          continue;
        }
        options.onCall?.(name, !isOutage(error), (performance.now() - startedAt) / 1000);
        throw error;
      }
    }
  }

  const findByEmail: IdentityProvider['findByEmail'] = (email) =>
    available(async () => {
      const found = await call('find', () => admin.users.find({ email, exact: true, max: 2 }));
      const identity = found.find((user) => user.email?.toLowerCase() === email);
      if (!identity?.id) return null;
      return { subject: identity.id, needsPassword: identity.requiredActions?.includes('UPDATE_PASSWORD') ?? false };
    });

  return {
    findByEmail,

    create: ({ email, name }) =>
      available(async () => {
        const { firstName, lastName } = splitName(name);
        const user = { username: email, email, firstName, lastName, enabled: true, requiredActions };
        try {
          const { id } = await call('create', () => admin.users.create(user));
          return { subject: id, needsPassword: true };
        } catch (error) {
          const refused = refusedData(error);
          if (refused) throw refused;
          const existing = statusOf(error) === 409 ? await findByEmail(email) : null;
          if (!existing) throw error;
          return existing;
        }
      }),

    sendPasswordMail: (subject) =>
      available(() => call('mail', () => admin.users.executeActionsEmail({ id: subject, actions: requiredActions }))),
  };
}

/** The provider requires a first and a last name. A single word is used for both. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const words = name.trim();
  const at = words.indexOf(' ');
  return at < 0 ? { firstName: words, lastName: words } : { firstName: words.slice(0, at), lastName: words.slice(at + 1).trim() };
}

async function available<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw error instanceof ProblemError ? error : new ProblemError('IDENTITY_PROVIDER_UNAVAILABLE', { cause: error });
  }
}

const statusOf = (error: unknown): number | undefined => (error instanceof NetworkError ? error.response.status : undefined);
const isConnectionError = (error: unknown): boolean => error instanceof TypeError;
const isOutage = (error: unknown): boolean => (statusOf(error) ?? 500) >= 500;

interface ProfileFault {
  field?: string;
  errorMessage?: string;
}

/** A 400 that names fields rejects the person's own data. Keycloak reports one error as an object and several as a list. */
function refusedData(error: unknown): ProblemError | undefined {
  if (statusOf(error) !== 400) return undefined;
  const answer = (error as NetworkError).responseData as ProfileFault & { errors?: ProfileFault[] };
  const messages = new Map<string, string>();
  for (const { field, errorMessage } of answer.errors ?? [answer]) {
    if (!field) return undefined;
    // First and last name are one field of this service, and so are username and e-mail.
    const path = field === 'email' || field === 'username' ? 'email' : 'name';
    messages.set(path, `The identity provider refuses it${errorMessage ? `: ${errorMessage}` : ''}`);
  }
  return new ProblemError('VALIDATION_FAILED', { errors: [...messages].map(([path, message]) => ({ path, message })), cause: error });
}
