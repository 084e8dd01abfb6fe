import { attachmentTypes, type AttachmentType, ProblemError } from '@profile-service/contracts';

/** What a scanner writes before the signature of a PDF, in bytes. */
const maxPdfPrefix = 1024;

const jpeg = /^\xff\xd8\xff/;
/** The signatures (magic numbers) of files by content type, as Latin-1 text: `.` is any byte. A PDF may begin with blanks and byte-order marks (D-35). */
const signatures: Record<AttachmentType, RegExp> = {
  'image/jpg': jpeg,
  'image/jpeg': jpeg,
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/webp': /^RIFF.{4}WEBP/s,
  'application/pdf': /^(?:[\t\n\f\r ]|\xef\xbb\xbf)*%PDF-/,
};
const longestSignature = maxPdfPrefix + '%PDF-'.length;

/** Throws InvalidAttachmentTypeError unless attachments may have the content type (ATTACHMENTS-2). */
export function requireType(contentType: string): AttachmentType {
  if (Object.hasOwn(attachmentTypes, contentType)) return contentType as AttachmentType;
  throw new ProblemError('InvalidAttachmentTypeError', { detail: `The type must be one of ${Object.keys(attachmentTypes).join(', ')}` });
}

/**
 * Passes the content on if its first bytes are the signature of the type. Otherwise throws InvalidAttachmentTypeError, also for an empty file
 * (ATTACHMENTS-5, D-35).
 */
export async function* requireSignature(content: AsyncIterable<Uint8Array>, type: AttachmentType): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of content) {
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (hasSignature(head, type)) {
      yield head;
      head = null;
    } else if (head.length >= longestSignature) break;
  }
  if (!head) return;
  throw new ProblemError('InvalidAttachmentTypeError', { detail: `The content of the file is not ${type}` });
}

const hasSignature = (head: Buffer, type: AttachmentType): boolean => signatures[type].test(head.toString('latin1', 0, longestSignature));
