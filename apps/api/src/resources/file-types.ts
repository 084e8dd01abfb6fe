import { attachmentTypes, type AttachmentType, ProblemError } from '@profile-service/contracts';

/** The first bytes of a file by its content type, as Latin-1 text: `.` is any byte. */
const jpeg = /^\xff\xd8\xff/;
const beginnings: Record<AttachmentType, RegExp> = {
  'image/jpg': jpeg,
  'image/jpeg': jpeg,
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/webp': /^RIFF.{4}WEBP/s,
  'application/pdf': /^%PDF-/,
};
const longestBeginning = 12;

/** Throws InvalidAttachmentTypeError unless the content type is one of specification 4.14. */
export function requireType(contentType: string): AttachmentType {
  if (Object.hasOwn(attachmentTypes, contentType)) return contentType as AttachmentType;
  throw new ProblemError('InvalidAttachmentTypeError', { detail: `The type must be one of ${Object.keys(attachmentTypes).join(', ')}` });
}

/** Passes the content on if its first bytes match its type. Otherwise, and for an empty file, throws InvalidAttachmentTypeError. */
export async function* requireBeginning(content: AsyncIterable<Uint8Array>, type: AttachmentType): AsyncGenerator<Uint8Array> {
  let beginning: Buffer | null = Buffer.alloc(0);
  for await (const chunk of content) {
    if (!beginning) {
      yield chunk;
      continue;
    }
    beginning = Buffer.concat([beginning, chunk]);
    if (beginning.length < longestBeginning) continue;
    requireAgreement(beginning, type);
    yield beginning;
    beginning = null;
  }
  if (!beginning) return;
  requireAgreement(beginning, type);
  yield beginning;
}

function requireAgreement(beginning: Buffer, type: AttachmentType): void {
  if (beginnings[type].test(beginning.toString('latin1', 0, longestBeginning))) return;
  throw new ProblemError('InvalidAttachmentTypeError', { detail: `The content of the file is not ${type}` });
}
