import type { ErrorDeclarations } from './declaration.ts';

/** Uploads and downloads. */
export const fileErrors = {
  FILE_REQUIRED: {
    status: 400,
    title: 'File required',
    when: 'The form has no file in the part `file`.',
    cause: 'The part has another name, or has no `filename`, so that it is an ordinary field. An empty body has no file either.',
    action: "Send `multipart/form-data` with one file in the part `file`: `curl -F 'file=@contract.pdf;type=application/pdf'`.",
  },
  InvalidAttachmentTypeError: {
    status: 400,
    title: 'Attachment type not allowed',
    when: 'The content type of the file is not allowed, or the content does not match it.',
    cause:
      'The part has no content type or a general one, such as `application/octet-stream`. Or the file was renamed: its first bytes belong to another type.',
    action: 'Send a JPEG, PNG, WebP or PDF file, and state its type in the part. `detail` says which check failed.',
  },
  FailedToUploadFileError: {
    status: 400,
    title: 'Upload failed',
    when: 'The object storage did not store the file. Nothing was saved.',
    cause:
      'The storage is unreachable, full, or rejects the credentials of the service. The request itself is right, although the status is 400.',
    action:
      'Send the upload again after a pause, with the same `Idempotency-Key`. If it keeps failing, report the request id in `instance`.',
  },
  FailedToDownloadFileError: {
    status: 400,
    title: 'Download failed',
    when: 'The object storage did not return the file.',
    cause:
      'The storage is unreachable, or its object is missing or has another size than the record. The request itself is right, although the status is 400.',
    action: 'Repeat the download after a pause. If it keeps failing, report the request id in `instance`: the object may be lost.',
  },
  FailedToDeleteFileError: {
    status: 400,
    title: 'Deletion of the file failed',
    when: 'Reserved; not used at present. If the object storage does not delete a file at once, the service deletes it later.',
    cause: 'The service never sends this code. `DELETE` of an attachment is 204 as soon as its record is deleted.',
    action: 'Nothing. Treat it as a temporary failure if a later version sends it.',
    reserved: true,
  },
  INVALID_IMPORT_FILE: {
    status: 400,
    title: 'Invalid import file',
    when: 'The file of an import cannot be read: its header lacks a required column or names an unknown one, it is not UTF-8, or a quote is not closed. `detail` names the columns or the line.',
    cause: 'The file was saved in another encoding or for another type of records, or a column was renamed.',
    action: 'Compare the header with `GET /api/imports/template?type=…`. Save the file as "CSV UTF-8".',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: 'Range not satisfiable',
    when: 'The file has no byte in the requested `Range`. The header `Content-Range` states its size.',
    cause: 'A download was continued although it was complete, or the range begins after the end of the file.',
    action: 'Compare your bytes with the size in `Content-Range`. Download the whole file, without `Range`, if they do not match.',
  },
} as const satisfies ErrorDeclarations;
