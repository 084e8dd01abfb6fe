import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { pdf } from '../work/form.ts';
import { usualOrganization } from '../work/reads.ts';
import { idOf } from './ids.ts';
import { personOf, user } from './people.ts';
import { type Size, tenant } from './size.ts';
import { tenantId } from './tables.ts';

const path = 'attachments/ORGANIZATION/download.pdf';

/** Stores a file of 1 MiB for an organization of the usual tenant. Returns the id of its attachment. */
export async function storeAttachment(url: string, size: Size, storageDir: string): Promise<string> {
  const file = pdf(1);
  await mkdir(dirname(join(storageDir, path)), { recursive: true });
  await writeFile(join(storageDir, path), file);
  const id = idOf('attachment', 0, 1);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into attachments (id, entity_type, entity_id, file_path, original_filename, user_id, tenant_id, content_type, size)
     values ($1, 'ORGANIZATION', $2, $3, 'estatuto.pdf', $4, $5, 'application/pdf', $6)`,
    [id, usualOrganization(size.name, 0), path, personOf(user.usualMember, size).id, tenantId(tenant.usual, size), file.length],
  );
  await client.end();
  return id;
}
