import type { ErrorCode } from '@profile-service/contracts';
import type { Attempt } from './transports.ts';
import type { Faulty } from './faulty.ts';

/** A file of a content type that no upload may have. */
export const page = new File(['<html></html>'], 'page.html', { type: 'text/html' });

/** The codes that hang on the file which a row takes or gives, with what differs there from a call that would succeed. */
export const fileCodes: Partial<Record<ErrorCode, (faulty: Faulty) => Partial<Attempt>>> = {
  FILE_REQUIRED: () => ({ file: null }),
  InvalidAttachmentTypeError: () => ({ file: page }),
  FailedToUploadFileError: ({ withoutStorage }) => ({ url: withoutStorage }),
  FailedToDownloadFileError: ({ withoutStorage }) => ({ url: withoutStorage }),
  RANGE_NOT_SATISFIABLE: () => ({ range: 'bytes=1000000-' }),
};
