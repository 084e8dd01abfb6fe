import { sendStreams } from './send-streams.ts';
import type { StreamsRequest } from './stream.ts';

/** The process of the generator. It sends the streams of each message, and answers with the result. */
process.on('message', (message) => {
  sendStreams(message as StreamsRequest).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
