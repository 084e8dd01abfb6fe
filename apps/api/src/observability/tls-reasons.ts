/** What the explanation of a TLS fault says about a part. */
export interface TlsPart {
  /** With which the sentence begins. */
  name: string;
  /** The settings with its address. */
  address: string;
  /** What to do if an unknown authority has signed its certificate. */
  trust: string;
  /** What to do if it does not use TLS. */
  withoutTls: string;
}

const unknownAuthority = /^(UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|CERT_UNTRUSTED|CERT_SIGNATURE)/;
const outsideItsDates = /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/;
/** Node and the AWS SDK report bytes that are not TLS with different codes. The last alternative is pg's. */
const notTls = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|wrong version number|packet length too long|does not support SSL/;
const otherFault = /^(ERR_SSL|ERR_TLS|EPROTO)|CERT/;

/** Explains a fault of TLS, with the code and the message of the error. @returns undefined for another fault */
export function explainTls(code: string, message: string, { name, address, trust, withoutTls }: TlsPart): string | undefined {
  if (unknownAuthority.test(code)) return `${name}’s certificate is not accepted: ${trust}.`;
  if (outsideItsDates.test(code))
    return `${name}’s certificate has expired or is not valid yet: renew it, or correct the clock of this machine.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `${name}’s certificate names another host: correct the host in ${address}, or add it to the certificate.`;
  if (notTls.test(`${code} ${message}`)) return `${name} does not use TLS at this address: ${withoutTls}.`;
  if (otherFault.test(code)) return `${name} fails to set up TLS (${code}): check its certificate and the TLS versions that it supports.`;
  return undefined;
}

/** What to do if an authority is unknown to Node. */
const trustInNode = 'add its authority with NODE_EXTRA_CA_CERTS';
const identityUrls = 'IDENTITY_REALM_URL, IDENTITY_AUTH_URL or IDENTITY_INTERNAL_URL';

export const identityTls: TlsPart = {
  name: 'The identity provider',
  address: identityUrls,
  trust: trustInNode,
  withoutTls: `correct the port, or replace https by http in ${identityUrls}`,
};

export const storageTls: TlsPart = {
  name: 'The storage',
  address: 'STORAGE_ENDPOINT',
  trust: trustInNode,
  withoutTls: 'correct the port, or replace https by http in STORAGE_ENDPOINT',
};

export const cacheTls: TlsPart = {
  name: 'Redis',
  address: 'REDIS_URL',
  trust: trustInNode,
  withoutTls: 'correct the port, or replace rediss by redis in REDIS_URL',
};

/** @param setting with the address of the database */
export const databaseTls = (setting: string): TlsPart => ({
  name: 'PostgreSQL',
  address: setting,
  trust: 'set DATABASE_CA_FILE to the certificate of its authority',
  withoutTls: `set ssl = on in postgresql.conf, or remove DATABASE_CA_FILE and the sslmode in ${setting}`,
});
