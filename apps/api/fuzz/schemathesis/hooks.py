"""What the service refuses wherever it stands, and no schema can say: keys that would reach into prototypes. The hostile tests send them."""

import json

import schemathesis


@schemathesis.hook
def filter_body(context, body):
    return not any(key in json.dumps(body, default=str) for key in ('"__proto__"', '"constructor"'))
