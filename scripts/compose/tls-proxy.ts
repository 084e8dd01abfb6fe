import dns from 'node:dns';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import { buildFromText } from './build.ts';
import { eventually } from '../../test/eventually.ts';
import { nginxConfiguration } from './page.ts';
import { docker } from './project.ts';

const image = 'profile-service-verify-nginx';
const dockerfile = `FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends nginx openssl && rm -rf /var/lib/apt/lists/* /etc/nginx/sites-enabled/default
CMD ["nginx", "-g", "daemon off;"]
`;

/** The TLS proxy of docs/run/production.md, in a container with the network of this machine. */
export interface TlsProxy {
  /** The certificate of its host names, which is its own authority. */
  certificate: string;
  port: number;
  stop(): Promise<void>;
}

/**
 * Starts nginx with the configuration of docs/run/production.md. This process then trusts its certificate, and resolves its host names to this machine.
 * @param folder for its files  @param ports of the proxy itself, of the service and of Keycloak
 */
export async function startTlsProxy(folder: string, ports: { tls: number; api: number; keycloak: number }): Promise<TlsProxy> {
  buildFromText(dockerfile, image);
  const subject = ['-subj', '/CN=example.com', '-addext', 'subjectAltName=DNS:profile.example.com,DNS:id.example.com'];
  const create = ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', '-', '-out', '-'];
  const [key = '', certificate = ''] = (await docker('run', '--rm', image, ...create)).match(/-----BEGIN [^]*?-----END .*-----\n/g) ?? [];
  const certificates = join(folder, 'ssl');
  const configuration = join(folder, 'nginx');
  for (const path of [certificates, configuration]) mkdirSync(path);
  writeFileSync(join(certificates, 'fullchain.pem'), certificate);
  writeFileSync(join(certificates, 'key.pem'), key, { mode: 0o600 });
  writeFileSync(join(configuration, 'profile.conf'), withPorts(nginxConfiguration(), ports));

  const mounts = ['--volume', `${certificates}:/etc/ssl/profile:ro`, '--volume', `${configuration}:/etc/nginx/conf.d:ro`];
  const container = (await docker('run', '--detach', '--network', 'host', ...mounts, image)).trim();
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate]);
  resolveExampleHosts();
  const stop = async () => void (await docker('rm', '--force', container));
  try {
    await eventually(async () => void (await fetch(`https://profile.example.com:${ports.tls}/`)));
  } catch (error) {
    console.error(await docker('logs', container));
    await stop();
    throw error;
  }
  return { certificate, port: ports.tls, stop };
}

function withPorts(text: string, ports: { tls: number; api: number; keycloak: number }): string {
  const changes: [string, string][] = [
    ['listen 443 ssl;', `listen 127.0.0.1:${ports.tls} ssl;`],
    ['http://127.0.0.1:3000;', `http://127.0.0.1:${ports.api};`],
    ['http://127.0.0.1:8080;', `http://127.0.0.1:${ports.keycloak};`],
  ];
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The configuration of nginx has no "${from}"`);
    return changed.replaceAll(from, to);
  }, text);
}

/** Resolves the hosts of docs/run/production.md to this machine, in this process only. */
function resolveExampleHosts(): void {
  const { lookup } = dns;
  const resolve = (host: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [host.endsWith('.example.com') ? '127.0.0.1' : host, ...rest]) as unknown;
  dns.lookup = Object.assign(resolve, lookup) as typeof lookup;
}
