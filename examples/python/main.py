"""Calls the profile service with a generated client."""

import os
import random
from datetime import UTC, datetime
from io import BytesIO
from typing import TypeVar

import httpx

from events import follow
from profile_client import AuthenticatedClient
from profile_client.api.attachments import download_attachment, upload_attachment
from profile_client.api.events import list_events
from profile_client.api.me import list_my_tenants
from profile_client.api.organizations import (
    create_organization,
    delete_organization,
    get_organization,
    list_organizations,
    list_service_organizations,
    update_organization,
)
from profile_client.models import (
    Attachment,
    AttachmentCreate,
    AttachmentEntityType,
    EventList,
    EventTypeFilter,
    MembershipList,
    Organization,
    OrganizationAddressInput,
    OrganizationCreate,
    OrganizationPage,
    OrganizationUpdate,
    Persona,
    Problem,
)
from profile_client.types import File

URL = os.environ.get("PROFILE_URL", "http://localhost:3000")
TOKEN_URL = os.environ.get("TOKEN_URL", "http://localhost:3001/realms/profile/protocol/openid-connect/token")

T = TypeVar("T")


class ProblemError(Exception):
    """An error response of the service."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.detail} Request id: {problem.instance}")
        self.problem = problem


def expect(kind: type[T], result: object) -> T:
    """Returns the result if it is of this type. Raises the problem of an error response."""
    if isinstance(result, Problem):
        raise ProblemError(result)
    if not isinstance(result, kind):
        raise TypeError(f"Expected {kind.__name__}, not {result!r}")
    return result


def get_token(**form: str) -> str:
    return str(httpx.post(TOKEN_URL, data=form).raise_for_status().json()["access_token"])


def main() -> None:
    # An application has a token of its own. The token selects the tenant.
    token = get_token(grant_type="client_credentials", client_id="harvest", client_secret="demo-harvest-secret")
    application = AuthenticatedClient(URL, token)
    linked = expect(OrganizationPage, list_service_organizations.sync(client=application, limit=5))
    print(f"The application sees {linked.total} organizations.")

    # A user chooses the active tenant with X-Tenant-Id. Real users log in with the authorization code flow.
    token = get_token(grant_type="password", client_id="web", username="beto@example.com", password="demo")
    user = AuthenticatedClient(URL, token)
    tenants = expect(MembershipList, list_my_tenants.sync(client=user))
    tenant = next(tenant for tenant in tenants.data if tenant.persona == Persona.TENANT_ADMIN)
    user = user.with_headers({"X-Tenant-Id": str(tenant.id)})

    page = expect(OrganizationPage, list_organizations.sync(client=user, active=True, limit=5))
    print(f"{tenant.name}: {page.total} active organizations.")

    # The position of the present in the events.
    cursor = expect(EventList, list_events.sync(client=user, start_date=datetime.now(UTC).isoformat())).next_cursor

    organization = OrganizationCreate(
        name="Cooperativa Vale Verde",
        alias="Vale Verde",
        federal_tax_id=str(random.randrange(10**13, 10**14)),
        address=OrganizationAddressInput(
            zip_code="01001000", street="Praça da Sé", number="1", city_code=3550308, state_code=35
        ),
    )
    created = expect(Organization, create_organization.sync(client=user, body=organization))

    # None clears the alias. The absent name stays.
    changes = OrganizationUpdate(alias=None, listed=False)
    updated = expect(Organization, update_organization.sync(created.id, client=user, body=changes))
    print(f"{updated.name}: alias {updated.alias}, listed {updated.listed}.")

    file = File(BytesIO(b"%PDF-1.7\n"), "estatuto.pdf", "application/pdf")
    form = AttachmentCreate(file, entity_type=AttachmentEntityType.DOCUMENT, entity_id=created.id)
    attachment = expect(Attachment, upload_attachment.sync(client=user, body=form))
    content = expect(File, download_attachment.sync(attachment.id, client=user)).payload.read()
    print(f"Downloaded {len(content)} bytes of {attachment.original_filename}.")

    deleted = delete_organization.sync_detailed(created.id, client=user)
    print(f"Deleted: status {deleted.status_code}.")

    try:
        expect(Organization, get_organization.sync(created.id, client=user))
    except ProblemError as error:
        match error.problem.code:
            case "ORGANIZATION_NOT_FOUND":
                print("The organization is gone.")
            case _:  # Later versions of the service may have more codes.
                raise

    seen: list[str] = []
    for events in follow(user, cursor, EventTypeFilter.ORGANIZATION):
        seen += [event.type_ for event in events.data if event.record.id == str(created.id)]
        if "organization.deleted" in seen:
            break
    print(f"Events: {', '.join(seen)}.")


if __name__ == "__main__":
    main()
