import { createTRPCClient, type TRPCClient } from '@trpc/client';
import { type ProfileClientOptions, toConnection } from './connection.ts';
import { type FileTransfers, fileTransfers } from './file-transfers.ts';
import { type ProfileRouter, requestLink } from './links.ts';

export type { ProfileClientOptions } from './connection.ts';
export type { FileTransfers } from './file-transfers.ts';
export type { Attachment, DownloadedFile, DownloadOptions, Progress, TransferOptions, UploadFields, UploadSource } from './files.ts';
export type { ProfileRouter } from './links.ts';
export { problemOf, ProfileResponseError } from './problem.ts';

export type ProfileClient = TRPCClient<ProfileRouter> & { attachments: FileTransfers };

/**
 * Creates a typed client of the service. JSON operations are tRPC procedures: `client.users.create.mutate({ … })`.
 * Files have methods of their own: `client.attachments.upload(file)` and `client.attachments.download(id)`.
 */
export function createProfileClient(options: ProfileClientOptions): ProfileClient {
  const connection = toConnection(options);
  const procedures = createTRPCClient<ProfileRouter>({ links: [requestLink(connection)] });
  return extend(procedures, { attachments: extend(procedures.attachments, fileTransfers(connection)) });
}

/** Adds members to procedures. tRPC creates procedures on access, so they cannot be copied into a new object. */
function extend<Procedures extends object, Members extends object>(procedures: Procedures, members: Members): Procedures & Members {
  const get = (target: Procedures, key: string | symbol): unknown => Reflect.get(Object.hasOwn(members, key) ? members : target, key);
  return new Proxy(procedures, { get }) as Procedures & Members;
}
