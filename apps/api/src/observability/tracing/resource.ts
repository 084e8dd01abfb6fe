import { randomUUID } from 'node:crypto';
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { ATTR_SERVICE_INSTANCE_ID, ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import manifest from '../../../package.json' with { type: 'json' };

/** Describes this process. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override the attributes. */
export const createResource = (): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        [ATTR_SERVICE_NAME]: 'profile-service',
        [ATTR_SERVICE_VERSION]: manifest.version,
        [ATTR_SERVICE_INSTANCE_ID]: randomUUID(),
      }),
    )
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }));
