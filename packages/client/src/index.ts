import type { Contract, RouterOf } from '@profile-service/contracts';
import { createTRPCClient, httpBatchLink, type TRPCClient } from '@trpc/client';
import { connectionOf, type ProfileClientOptions } from './connection.ts';
import { type FileTransfers, fileTransfers } from './file-transfers.ts';

export type { ProfileClientOptions } from './connection.ts';
export type { FileTransfers } from './file-transfers.ts';
export type { Attachment, DownloadedFile, DownloadOptions, Progress, TransferOptions, UploadFields, UploadSource } from './files.ts';
export { problemOf, ProfileResponseError } from './problem.ts';

/** A batch that would not fit into the head of a request, or has more calls than the service takes in one, is split. */
const limits = { maxURLLength: 8_000, maxItems: 100 };

export type ProfileRouter = RouterOf<Contract>;
export type ProfileClient = TRPCClient<ProfileRouter> & { attachments: FileTransfers };

/** The typed client of the service: `client.users.create.mutate({ … })`, and for files `client.attachments.upload(file)` and `.download(id)`. */
export function createProfileClient(options: ProfileClientOptions): ProfileClient {
  const connection = connectionOf(options);
  const procedures = createTRPCClient<ProfileRouter>({
    links: [httpBatchLink({ url: `${connection.url}/trpc`, headers: connection.headers, ...limits })],
  });
  return among(procedures, { attachments: among(procedures.attachments, fileTransfers(connection)) });
}

/** The procedures, which make themselves when they are asked for, with something of ours among them. */
function among<Procedures extends object, Ours extends object>(procedures: Procedures, ours: Ours): Procedures & Ours {
  const get = (target: Procedures, key: string | symbol): unknown => Reflect.get(Object.hasOwn(ours, key) ? ours : target, key);
  return new Proxy(procedures, { get }) as Procedures & Ours;
}
