import { endpoints } from '@profile-service/contracts';
import { writeOrCheck } from '../../../scripts/generated-file.ts';
import { createDocument, printDocument } from './document.ts';

/** `pnpm generate openapi` writes the document. With `--check` it fails if the committed document is out of date. */
writeOrCheck('apps/api/openapi.json', printDocument(createDocument(endpoints)), 'pnpm generate openapi');
