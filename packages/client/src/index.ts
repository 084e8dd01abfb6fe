import { createTRPCClient, type TRPCClient } from '@trpc/client';
import { type ProfileClientOptions, toConnection } from './connection.ts';
import { type FileTransfers, fileTransfers } from './file-transfers.ts';
import { conditionLink } from './condition-link.ts';
import { type ProfileRouter, requestLink } from './links.ts';
import { retryLinks } from './retry-links.ts';

export type { ProfileClientOptions } from './connection.ts';
export type { FileTransfers } from './file-transfers.ts';
export type {
  Attachment,
  DownloadedFile,
  DownloadOptions,
  Progress,
  TransferOptions,
  UploadedAttachment,
  UploadFields,
  UploadOptions,
  UploadSource,
} from './files.ts';
export type { ProfileRouter } from './links.ts';
export { problemOf, ProfileResponseError } from './problem.ts';

export type ProfileClient = TRPCClient<ProfileRouter> & { attachments: FileTransfers };

/**
 * Creates a typed client of the service. JSON operations are tRPC procedures: `client.users.create.mutate({ … })`.
 * Files have methods of their own: `client.attachments.upload(file)` and `client.attachments.download(id)`.
 *
 * Pass the record that you read to change it only if nobody else has: `client.apps.update.mutate({ ...app, name: 'New' })` sends its `etag` as `ifMatch`.
 * Queries and creations that fail temporarily are repeated, creations with an idempotency key.
 */
export function createProfileClient(options: ProfileClientOptions): ProfileClient {
  const connection = toConnection(options);
  const procedures = createTRPCClient<ProfileRouter>({
    links: [conditionLink, ...retryLinks(connection.maxAttempts), requestLink(connection)],
  });
  return extend(procedures, { attachments: extend(procedures.attachments, fileTransfers(connection)) });
}

/** Adds members to procedures. tRPC creates procedures on access, so they cannot be copied into a new object. */
function extend<Procedures extends object, Members extends object>(procedures: Procedures, members: Members): Procedures & Members {
  const get = (target: Procedures, key: string | symbol): unknown => Reflect.get(Object.hasOwn(members, key) ? members : target, key);
  return new Proxy(procedures, { get }) as Procedures & Members;
}
