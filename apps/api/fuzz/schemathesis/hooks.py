"""Leaves out requests that the service refuses for reasons that no schema can express. Other tests send them."""

import json
import re
import unicodedata
import uuid

import schemathesis

IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,255}")
ENTITY_TAGS = re.compile(r'\*|(W/)?"[!#-~]*"(, (W/)?"[!#-~]*")*')


FIRST_UNSAFE_INTEGER = 2**53
FILLERS = "\u115f\u1160\u2800\u3164\uffa0"


@schemathesis.hook
def filter_body(context, body):
    """Keys that would change prototypes, numbers that JavaScript would change, and names without a visible character."""
    if any(key in json.dumps(body, default=str) for key in ('"__proto__"', '"constructor"')):
        return False
    names = [body.get(name) for name in ("name", "alias")] if isinstance(body, dict) else []
    return is_exact(body) and all(is_visible(name) for name in names if isinstance(name, str) and name != "")


def is_exact(value):
    if isinstance(value, (int, float)):
        return value != int(value) or abs(value) < FIRST_UNSAFE_INTEGER
    if isinstance(value, dict):
        return all(is_exact(each) for each in value.values())
    return not isinstance(value, list) or all(is_exact(each) for each in value)


def is_visible(text):
    return any(unicodedata.category(character)[0] in "LNPS" and character not in FILLERS for character in text)


@schemathesis.hook
def before_call(context, case, kwargs):
    """
    The coverage phase ignores the pattern of If-Match. A repeated Idempotency-Key returns the stored response, even if its record was deleted meanwhile: each valid
    key is replaced by a new one.
    """
    key = case.headers.get("Idempotency-Key") if case.headers else None
    if key is not None and IDEMPOTENCY_KEY.fullmatch(str(key)):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    tags = case.headers.get("If-Match") if case.headers else None
    if tags is not None and not ENTITY_TAGS.fullmatch(str(tags)):
        case.headers["If-Match"] = "*"


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """JSON Schema accepts 2.0 as an integer. In a path or query, the service accepts only digits."""
    return with_plain_integers(path_parameters)


@schemathesis.hook
def map_query(context, query):
    return with_plain_integers(query)


def with_plain_integers(parameters):
    return parameters and {
        name: int(value) if isinstance(value, float) and value.is_integer() else value for name, value in parameters.items()
    }
