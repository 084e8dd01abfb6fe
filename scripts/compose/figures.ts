import { ownLayerBytes } from './image-steps.ts';
import { type ComposeProject, docker } from './project.ts';

/** Returns the size of the image's own layers, the time from the start of the API's container until it listens, and its memory. */
export async function figuresOf(project: ComposeProject): Promise<string> {
  const [instance] = await project.containers('api');
  if (!instance) throw new Error('No instance of the API runs');
  const { Id, State } = instance;
  const lines = (await docker('logs', Id)).split('\n').filter(Boolean);
  const listening = lines.map((line) => JSON.parse(line) as { msg: string; time: string }).find(({ msg }) => msg === 'listening');
  const startMs = Date.parse(listening?.time ?? '') - Date.parse(State.StartedAt);
  const memory = (await docker('stats', '--no-stream', '--format', '{{.MemUsage}}', Id)).split('/')[0]?.trim();
  const megabytes = ((await ownLayerBytes(project.image)) / 1e6).toFixed(1);
  return `own layers of the image ${megabytes} MB, start ${(startMs / 1000).toFixed(1)} s, memory ${memory}`;
}
