import { contract } from '@profile-service/contracts';
import { readFeed, startFeed } from '../journal/event-feed.ts';
import { feed } from '../request/handler.ts';
import { implement } from '../request/router.ts';

export const events = implement(contract.events, {
  list: feed({
    start: ({ scoped, input }) => startFeed(scoped, input),
    read: ({ caller, scoped, input }, start) => readFeed(caller, scoped, input, start, input.limit),
  }),
});

export const serviceEvents = implement(contract.service.events, {
  list: feed({
    start: ({ scoped, input }) => startFeed(scoped, input),
    read: ({ caller, scoped, input }, start) => readFeed(caller, scoped, input, start, input.limit),
  }),
});
