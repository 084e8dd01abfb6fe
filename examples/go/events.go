package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"profile-example/profile"
)

// follow calls apply with each page of events after the cursor, until the context ends. Store NextCursor in apply.
// After EVENT_CURSOR_EXPIRED, take a new cursor and copy the lists again.
func follow(
	ctx context.Context, client *profile.ClientWithResponses, cursor string, types []profile.EventTypeFilter,
	apply func(*profile.EventList) error,
) error {
	wait := int32(25)
	for pause := time.Second; ; {
		page, err := check(listEvents(ctx, client, &profile.ListEventsParams{Cursor: &cursor, Types: types, Wait: &wait}))
		switch {
		case err == nil:
			if err := apply(page.JSON200); err != nil {
				return err
			}
			cursor, pause = page.JSON200.NextCursor, time.Second
			continue
		case ctx.Err() != nil:
			return ctx.Err()
		case !isTemporary(err):
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause + rand.N(pause/2)):
			pause = min(pause*2, 30*time.Second)
		}
	}
}

// listEvents requests one page. The response may wait for the first event.
func listEvents(ctx context.Context, client *profile.ClientWithResponses, params *profile.ListEventsParams) (*profile.ListEventsResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return client.ListEventsWithResponse(ctx, params)
}

// isTemporary tells whether the next request may succeed. Errors without a problem are broken connections and error pages of proxies.
func isTemporary(err error) bool {
	var problem *ProblemError
	if !errors.As(err, &problem) {
		return true
	}
	switch problem.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
