package example;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import profile.ApiClient;
import profile.ApiException;
import profile.api.EventsApi;
import profile.api.EventsApi.APIListEventsRequest;
import profile.model.EventList;
import profile.model.EventTypeFilter;

/** Follows the events of the service. */
class Events {
    private static final List<Integer> temporary = List.of(429, 502, 503, 504);
    private final EventsApi api;

    Events(ApiClient client) {
        // A response may wait 25 seconds for the first event.
        client.setReadTimeout(Duration.ofSeconds(60));
        api = new EventsApi(client);
    }

    /**
     * Passes on each page of events after the cursor, until `apply` returns false. `apply` stores `nextCursor`.
     * Throws the error of a failure that is not temporary. After EVENT_CURSOR_EXPIRED (status 410), take a new cursor and copy the lists again.
     */
    void follow(String cursor, List<EventTypeFilter> types, Predicate<EventList> apply) throws ApiException, InterruptedException {
        for (long pause = 1_000; ; ) {
            try {
                var page = api.listEvents(APIListEventsRequest.newBuilder().cursor(cursor).types(types).waitSeconds(25).build());
                if (!apply.test(page)) return;
                cursor = page.getNextCursor();
                pause = 1_000;
            } catch (ApiException error) {
                // Without a response, the code is 0.
                if (error.getCode() != 0 && !temporary.contains(error.getCode())) throw error;
                Thread.sleep(pause + ThreadLocalRandom.current().nextLong(pause / 2));
                pause = Math.min(pause * 2, 30_000);
            }
        }
    }
}
