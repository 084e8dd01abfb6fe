import type { IdentityProvider } from '@profile-service/local-stack';
import { withoutLimits } from '../../../../test/without-limits.ts';
import { identitySettings } from '../../local/stand-in-settings.ts';
import { readSettings, type Settings } from '../../src/settings.ts';

export const ownClient = { clientId: 'profile-service', secret: 'fuzz-profile-service-secret' };
export const first = { email: 'first@example.com', name: 'First Global', federalTaxId: '52998224725' };

/** Largest file of an upload here: small, so that too large ones are too. */
export const maxFileBytes = 64 * 1024;

/** The settings of the service under test. */
export const settingsOf = (databaseUrl: string, identity: IdentityProvider, filesDir: string): Settings =>
  readSettings({
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    // What is logged at this level is a failure of this test.
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl,
    ...identitySettings(identity, ownClient),
    STORAGE_DIR: filesDir,
    ATTACHMENT_MAX_BYTES: String(maxFileBytes),
    ...withoutLimits,
    BOOTSTRAP_GLOBAL_EMAIL: first.email,
    BOOTSTRAP_GLOBAL_NAME: first.name,
    BOOTSTRAP_GLOBAL_TAX_ID: first.federalTaxId,
  });
