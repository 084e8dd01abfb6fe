import { respondWith } from '../load/generator.ts';
import { sendStreams } from './send-streams.ts';

/** The process of the generator. It sends the streams of each message, and responds with the result. */
respondWith(sendStreams);
