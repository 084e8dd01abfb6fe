import type { Contract, RouterOf } from '@profile-service/contracts';
import { createTRPCClient, httpBatchLink, type TRPCClient } from '@trpc/client';

/** A batch of queries that would not fit into the head of a request is split. */
const maxURLLength = 8_000;

export type ProfileRouter = RouterOf<Contract>;
export type ProfileClient = TRPCClient<ProfileRouter>;

export interface ProfileClientOptions {
  /** Address of the service, without `/trpc`. */
  url: string;
  /** Gives the bearer token for each request. */
  token: () => string | Promise<string>;
  /** Gives the active tenant (X-Tenant-Id), where one is chosen. */
  tenantId?: () => string | undefined;
}

/** The typed client of the service: `client.users.create.mutate({ … })`. */
export function createProfileClient(options: ProfileClientOptions): ProfileClient {
  const headers = async () => {
    const tenantId = options.tenantId?.();
    return { authorization: `Bearer ${await options.token()}`, ...(tenantId ? { 'x-tenant-id': tenantId } : {}) };
  };
  return createTRPCClient<ProfileRouter>({
    links: [httpBatchLink({ url: `${options.url.replace(/\/$/, '')}/trpc`, headers, maxURLLength })],
  });
}
