import type { Caller } from '@profile-service/auth';
import { contract } from '@profile-service/contracts';
import { feedAudience, readFeed, startFeed, startStream, streamed } from '../journal/event-feed.ts';
import { feed, type InputOf } from '../request/handler.ts';
import { implement } from '../request/router.ts';

type Contract = typeof contract.events;

const handlers = {
  list: feed<InputOf<Contract['list']>, Caller>({
    start: ({ scoped, input }) => startFeed(scoped, input),
    audience: ({ caller, input }) => feedAudience(caller, input),
    read: ({ caller, scoped, input }, start) => readFeed(caller, scoped, input, start, { limit: input.limit }),
  }),
  stream: feed<InputOf<Contract['stream']>, Caller>({
    start: ({ scoped, input }) => startStream(scoped, input),
    audience: ({ caller, input }) => feedAudience(caller, input),
    read: ({ caller, scoped, input }, start) => readFeed(caller, scoped, input, start, streamed),
  }),
};

export const events = implement(contract.events, handlers);
export const serviceEvents = implement(contract.service.events, handlers);
