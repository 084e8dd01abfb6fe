// Command webhook-receiver receives the webhooks of the profile service.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Event has the fields that this program reads.
type Event struct {
	Type string `json:"type"`
}

type received struct {
	id string
	Event
}

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	// A table of your database in production.
	var seen sync.Map
	events := make(chan received, 1000)
	go func() {
		for event := range events {
			handle(event)
		}
	}()

	http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
		// The signature is about the bytes of the body.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 2<<20))
		if err != nil {
			http.Error(w, "The body is too large", http.StatusRequestEntityTooLarge)
			return
		}
		var event Event
		if webhook.Verify(body, r.Header) != nil || json.Unmarshal(body, &event) != nil {
			http.Error(w, "The signature is not valid", http.StatusBadRequest)
			return
		}
		id := r.Header.Get("webhook-id")
		if _, isKnown := seen.LoadOrStore(id, true); !isKnown {
			events <- received{id, event}
		}
		w.WriteHeader(http.StatusNoContent)
	})

	log.Fatal(http.ListenAndServe(":"+cmp.Or(os.Getenv("PORT"), "4000"), nil))
}

func handle(event received) {
	fmt.Println(event.id, event.Type)
}
