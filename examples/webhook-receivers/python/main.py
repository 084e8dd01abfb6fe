"""Receives the webhooks of the profile service."""

import os
from typing import Any

from fastapi import BackgroundTasks, FastAPI, Request, Response
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
# A table of your database in production.
seen: set[str] = set()
app = FastAPI()


async def handle(event_id: str, event: dict[str, Any]) -> None:
    print(event_id, event["type"], flush=True)


# The signature is about the bytes of the body. A parameter with a model would parse them.
@app.post("/webhooks")
async def receive(request: Request, background: BackgroundTasks) -> Response:
    try:
        event = webhook.verify(await request.body(), dict(request.headers))
    # The library raises ValueError for a header that it cannot parse.
    except (WebhookVerificationError, ValueError):
        return Response(status_code=400)
    event_id = request.headers["webhook-id"]
    if event_id not in seen:
        seen.add(event_id)
        background.add_task(handle, event_id, event)
    return Response(status_code=204)
