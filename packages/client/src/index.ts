export { type CallOptions, createProfileClient, type ProfileClient } from './client.ts';
export { clientCredentials, type ClientCredentialsOptions } from './client-credentials.ts';
export type { ProfileClientOptions, TokenRequest, TokenSource } from './connection.ts';
export { type ClientErrorCode, isProfileError, ProfileError, type ProfileErrorCode, type ProfileErrorDetails } from './error.ts';
export type { Export, ExportById } from './exports.ts';
export type { Download, FileTransfers, Upload } from './file-transfers.ts';
export type {
  DownloadedFile,
  DownloadOptions,
  ExportedFile,
  Progress,
  TransferOptions,
  UploadedAttachment,
  UploadFields,
  UploadOptions,
  UploadSource,
} from './files.ts';
export type { EventFeed, EventFollower, FollowedEvent, FollowOptions } from './follow.ts';
export type { ErrorCode } from './generated/errors.ts';
export type * from './generated/models.ts';
export type * from './generated/procedures.ts';
export type {
  ImportProgress,
  ImportRowsProgress,
  ImportRunner,
  ImportUploadProgress,
  RunImport,
  RunImportOptions,
  WaitForImport,
  WaitForImportOptions,
} from './imports.ts';
export type { Conditional, ExportedRecords, Idempotent, Mutation, Query, Versioned } from './procedure.ts';
export type { Result } from './result.ts';
export type { ProfileRouter } from './router.ts';
