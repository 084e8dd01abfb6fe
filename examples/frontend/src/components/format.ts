const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Formats a timestamp of the service as a date. */
export const formatDate = (timestamp: string): string => dateFormat.format(new Date(timestamp));

/** Formats a CNPJ: 04.216.331/0001-70. Returns other tax ids as they are. */
export const formatTaxId = (taxId: string): string => taxId.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');

/** Formats a CEP: 89010-025. */
export const formatZipCode = (zipCode: string): string => zipCode.replace(/^(.{5})(.{3})$/, '$1-$2');
