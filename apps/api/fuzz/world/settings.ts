import type { IdentityProvider } from '@profile-service/local-stack';
import { withoutLimits } from '../../../../test/without-limits.ts';
import { identitySettings } from '../../local/embedded-settings.ts';
import { readSettings, type Settings } from '../../src/settings.ts';

export const ownClient = { clientId: 'profile-service', secret: 'fuzz-profile-service-secret' };
export const first = { email: 'first@example.com', name: 'First Global', federalTaxId: '52998224725' };

/** Size limit of uploads: small, so that files over the limit are small too. */
export const maxFileBytes = 64 * 1024;

/** The settings of the service under test. */
export const settingsOf = (databaseUrl: string, identity: IdentityProvider, filesDir: string): Settings =>
  readSettings({
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    // An error in the log is a failure of this test.
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
