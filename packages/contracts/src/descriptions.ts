import type { z } from 'zod';

type Fields = Readonly<Record<string, z.ZodType>>;

/** Copies descriptions from the fields of a record to request fields of the same name, so that each is written once. */
export function describeLike<RequestFields extends Fields>(record: { shape: Fields }, fields: RequestFields): RequestFields {
  const described = Object.entries(fields).map(([name, schema]) => {
    const description = record.shape[name]?.description;
    return [name, description === undefined ? schema : schema.describe(description)];
  });
  return Object.fromEntries(described) as RequestFields;
}

/** Description of the body of a PUT. */
export const changesOf = (record: string): string =>
  `Changes of ${record}. An absent field keeps its value. \`null\` clears a nullable field. The service ignores fields that cannot be changed.`;

/** Descriptions of fields that several records have. */
export const shared = {
  active: (record: string) => `Whether the ${record} is active. For your own use: the service stores it and does not act on it.`,
  latitude: 'Latitude in decimal degrees, negative south of the equator.',
  logoPath: 'URL of the logo, or a path that your frontend resolves. The service stores this text only, not the image.',
  longitude: 'Longitude in decimal degrees, negative west of Greenwich.',
  metadata: 'JSON object of your own, which a request replaces as a whole. At most 64 KiB of JSON text. The service does not read it.',
};
