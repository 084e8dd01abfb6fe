import type { ErrorCode } from '@profile-service/contracts';
import type { Attempt } from './send.ts';
import type { BrokenInstances } from './broken-instances.ts';

/** A file of a content type that is not allowed. */
export const page = new File(['<html></html>'], 'page.html', { type: 'text/html' });

/** The error codes of uploads and downloads, with the difference from a valid call. */
export const fileCodes: Partial<Record<ErrorCode, (broken: BrokenInstances) => Partial<Attempt>>> = {
  FILE_REQUIRED: () => ({ file: null }),
  InvalidAttachmentTypeError: () => ({ file: page }),
  FailedToUploadFileError: ({ withoutStorage }) => ({ url: withoutStorage }),
  FailedToDownloadFileError: ({ withoutStorage }) => ({ url: withoutStorage }),
  RANGE_NOT_SATISFIABLE: () => ({ range: 'bytes=1000000-' }),
};
