import type { UploadFields, UploadSource } from './files.ts';
import { randomUuid } from './uuid.ts';

/** The parts of an upload form. */
export interface Form {
  file: UploadSource;
  filename: string;
  contentType: string;
  /** Text fields. Fields that are absent or null are left out. */
  fields: [name: string, value: string][];
}

/** The text fields of a form, and the name and type of its file. */
export type FormFields = Pick<UploadFields, 'filename' | 'contentType'> & Readonly<Record<string, string | null | undefined>>;

const typesByExtension: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  pdf: 'application/pdf',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
};

/** Builds the form of an upload. File name and content type default to those of the source. */
export function toForm(file: UploadSource, { filename = defaultFilename(file), contentType, ...fields }: FormFields): Form {
  const blobType = file instanceof Blob ? file.type : '';
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return {
    file,
    filename,
    contentType: contentType ?? (blobType || (typesByExtension[extension] ?? 'application/octet-stream')),
    fields: Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  };
}

function defaultFilename(file: UploadSource): string {
  if (file instanceof Blob) return 'name' in file && typeof file.name === 'string' ? file.name : 'file';
  const path = typeof file.path === 'string' ? file.path : new TextDecoder().decode(file.path);
  return path.split(/[\\/]/).at(-1) || 'file';
}

/** A form as multipart/form-data (RFC 7578). */
export interface Multipart {
  contentType: string;
  /** The bytes before those of the file. */
  head: Uint8Array<ArrayBuffer>;
  /** The bytes after those of the file. */
  tail: Uint8Array<ArrayBuffer>;
}

/** Encodes everything but the file. Unlike FormData, it accepts streams, and the progress of the file can be told from that of the form. */
export function toMultipart({ filename, contentType, fields }: Omit<Form, 'file'>): Multipart {
  const boundary = `profile-${randomUuid()}`;
  const partHead = (name: string, parameters = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${parameters}\r\n\r\n`;
  const parts = fields.map(([name, value]) => `${partHead(name)}${value}\r\n`).join('');
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: encode(parts + partHead('file', `; filename="${escapeFilename(filename)}"\r\ncontent-type: ${contentType}`)),
    tail: encode(`\r\n--${boundary}--\r\n`),
  };
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Escapes a file name as the HTML standard defines for multipart/form-data. */
const escapeFilename = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
