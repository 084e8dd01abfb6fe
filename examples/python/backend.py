"""A backend that calls the profile service as an application."""

import os
import time
from collections.abc import Generator, Iterator

import httpx

from profile_client import AuthenticatedClient
from profile_client.api.organizations import list_service_organizations
from profile_client.api.users import create_service_user
from profile_client.models import Organization, OrganizationPage, Persona, Problem, ServiceUserCreate, ServiceUserType, User

URL = os.environ.get("PROFILE_URL", "http://localhost:3000")
TOKEN_URL = os.environ.get("TOKEN_URL", "http://localhost:3001/realms/profile/protocol/openid-connect/token")


class ClientCredentials(httpx.Auth):
    """Sends the application's token. Gets a new one before it expires, and after a 401."""

    requires_response_body = True

    def __init__(self, token_url: str, client_id: str, client_secret: str) -> None:
        self._request = httpx.Request(
            "POST",
            token_url,
            data={"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret},
        )
        self._token = ""
        self._renew_at = 0.0

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if time.monotonic() >= self._renew_at:
            yield from self._renew()
        request.headers["Authorization"] = f"Bearer {self._token}"
        response = yield request
        if response.status_code == httpx.codes.UNAUTHORIZED:
            yield from self._renew()
            request.headers["Authorization"] = f"Bearer {self._token}"
            yield request

    def _renew(self) -> Generator[httpx.Request, httpx.Response, None]:
        response = yield self._request
        response.raise_for_status()
        token = response.json()
        self._token = token["access_token"]
        self._renew_at = time.monotonic() + token["expires_in"] / 2


def connect() -> AuthenticatedClient:
    auth = ClientCredentials(
        TOKEN_URL,
        client_id=os.environ.get("CLIENT_ID", "harvest"),
        client_secret=os.environ.get("CLIENT_SECRET", "demo-harvest-secret"),
    )
    # `auth` sets the token, and sends a request once more after a 401. httpx repeats failed connections only.
    options = {"auth": auth, "transport": httpx.HTTPTransport(retries=2)}
    return AuthenticatedClient(URL, token="", httpx_args=options, timeout=httpx.Timeout(10))


def add_technician(client: AuthenticatedClient, name: str, email: str, federal_tax_id: str) -> User:
    """Adds a user to the application's tenant. The same call again returns the same user."""
    body = ServiceUserCreate(
        name=name,
        email=email,
        federal_tax_id=federal_tax_id,
        type_=ServiceUserType.TECHNICIAN,
        persona=Persona.TECHNICIAN,
    )
    result = create_service_user.sync(client=client, body=body)
    if isinstance(result, User):
        return result
    if isinstance(result, Problem) and result.code == "USER_DATA_MISMATCH":
        raise ValueError(f"Another user has this e-mail address or tax id: {email}")
    raise RuntimeError(f"No user was created: {result}")


def all_organizations(client: AuthenticatedClient) -> Iterator[Organization]:
    """The organizations of the application's tenant, page by page."""
    cursor = "*"
    while True:
        result = list_service_organizations.sync(client=client, cursor=cursor, limit=100)
        if not isinstance(result, OrganizationPage):
            raise RuntimeError(f"The organizations could not be read: {result}")
        yield from result.data
        if not result.next_cursor:
            return
        cursor = result.next_cursor


def main() -> None:
    client = connect()
    user = add_technician(client, "Otto Dias", "otto@example.com", "28625587887")
    again = add_technician(client, "Otto Dias", "otto@example.com", "28625587887")
    print(f"{user.name} is in the tenant; the second call returned {'the same user' if user.id == again.id else 'another'}.")
    for organization in all_organizations(client):
        print(organization.name)


if __name__ == "__main__":
    main()
