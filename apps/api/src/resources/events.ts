import { contract } from '@profile-service/contracts';
import { feedAudience, readFeed, startFeed, startStream, streamed } from '../journal/event-feed.ts';
import { feed } from '../request/handler.ts';
import { implement } from '../request/router.ts';

export const events = implement(contract.events, {
  list: feed({
    start: ({ scoped, input }) => startFeed(scoped, input),
    audience: ({ caller, input }) => feedAudience(caller, input),
    read: ({ caller, scoped, input }, start) => readFeed(caller, scoped, input, start, { limit: input.limit }),
  }),
  stream: feed({
    start: ({ scoped, input }) => startStream(scoped, input),
    audience: ({ caller, input }) => feedAudience(caller, input),
    read: ({ caller, scoped, input }, start) => readFeed(caller, scoped, input, start, streamed),
  }),
});

export const serviceEvents = implement(contract.service.events, {
  list: feed({
    start: ({ scoped, input }) => startFeed(scoped, input),
    audience: ({ caller, input }) => feedAudience(caller, input),
    read: ({ caller, scoped, input }, start) => readFeed(caller, scoped, input, start, { limit: input.limit }),
  }),
  stream: feed({
    start: ({ scoped, input }) => startStream(scoped, input),
    audience: ({ caller, input }) => feedAudience(caller, input),
    read: ({ caller, scoped, input }, start) => readFeed(caller, scoped, input, start, streamed),
  }),
});
