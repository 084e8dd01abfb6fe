"""Follows the events of the service."""

import random
import time
from collections.abc import Iterator

import httpx

from profile_client import AuthenticatedClient
from profile_client.api.events import list_events
from profile_client.models import EventList, EventTypeFilter, Problem


class EventsError(Exception):
    """The events cannot be read. After EVENT_CURSOR_EXPIRED, take a new cursor and copy the lists again."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.detail}")
        self.code = problem.code


def follow(client: AuthenticatedClient, cursor: str, type_: EventTypeFilter) -> Iterator[EventList]:
    """The pages of events after the cursor, without end. Store the `next_cursor` of a page after you have applied it."""
    client = client.with_timeout(httpx.Timeout(60))
    pause = 1.0
    while True:
        try:
            page = list_events.sync(client=client, cursor=cursor, types=[type_], wait=25)
        except (httpx.TransportError, ValueError):  # No response, or not one of the service.
            page = None
        if isinstance(page, EventList):
            yield page
            cursor, pause = page.next_cursor, 1.0
        elif page is None or page.status in (429, 502, 503, 504):
            time.sleep(pause * random.uniform(1, 1.5))
            pause = min(pause * 2, 30)
        else:
            raise EventsError(page)
