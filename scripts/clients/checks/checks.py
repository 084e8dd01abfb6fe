import os
import random
import unittest
from io import BytesIO
from uuid import uuid4

import main
from profile_client import AuthenticatedClient
from profile_client.api.attachments import download_attachment, upload_attachment
from profile_client.api.me import list_my_tenants
from profile_client.api.organizations import (
    create_organization,
    delete_organization,
    get_organization,
    list_organizations,
    update_organization,
)
from profile_client.models import (
    Attachment,
    AttachmentCreate,
    JsonObject,
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


class Checks(unittest.TestCase):
    user: AuthenticatedClient
    without_tenant: AuthenticatedClient
    later: AuthenticatedClient

    @classmethod
    def setUpClass(cls) -> None:
        token = main.get_token(grant_type="password", client_id="web", username="beto@example.com", password="demo")
        cls.without_tenant = AuthenticatedClient(main.URL, token)
        tenants = main.expect(MembershipList, list_my_tenants.sync(client=cls.without_tenant))
        tenant = next(tenant for tenant in tenants.data if tenant.persona == Persona.TENANT_ADMIN)
        cls.user = AuthenticatedClient(main.URL, token, headers={"X-Tenant-Id": str(tenant.id)})
        cls.later = AuthenticatedClient(os.environ["LATER_VERSION_URL"], "none")

    def problem(self, result: object) -> Problem:
        self.assertIsInstance(result, Problem)
        assert isinstance(result, Problem)
        return result

    def create(self) -> Organization:
        body = OrganizationCreate(
            name="Checks",
            alias="First alias",
            federal_tax_id=f"PY{random.randrange(10**12):012}",
            metadata=JsonObject.from_dict({"a": {"b": [1, "ü", None]}}),
            address=OrganizationAddressInput("01001000", "Praça da Sé", "1", 3550308, 35),
        )
        response = create_organization.sync_detailed(client=self.user, body=body)
        self.assertEqual(response.status_code, 201)
        return main.expect(Organization, response.parsed)

    def test_a_user_of_several_tenants_needs_x_tenant_id(self) -> None:
        problem = self.problem(list_organizations.sync(client=self.without_tenant))
        self.assertEqual((problem.code, problem.status), ("ACTIVE_TENANT_REQUIRED", 403))

    def test_a_put_clears_what_is_null_and_keeps_what_is_absent(self) -> None:
        id = self.create().id
        update_organization.sync(id, client=self.user, body=OrganizationUpdate(alias=None, listed=False))
        read = main.expect(Organization, get_organization.sync(id, client=self.user))
        self.assertEqual((read.name, read.alias, read.listed, read.active), ("Checks", None, False, True))
        assert read.metadata is not None
        self.assertEqual(read.metadata.to_dict(), {"a": {"b": [1, "ü", None]}})

    def test_an_if_match_with_an_old_version_is_precondition_failed(self) -> None:
        id = self.create().id
        version = get_organization.sync_detailed(id, client=self.user).headers["ETag"]
        update_organization.sync(id, client=self.user, body=OrganizationUpdate(name="Other"))
        lost = update_organization.sync(id, client=self.user, body=OrganizationUpdate(name="Lost"), if_match=version)
        self.assertEqual(self.problem(lost).code, "PRECONDITION_FAILED")
        unchanged = get_organization.sync_detailed(id, client=self.user, if_none_match="*")
        self.assertEqual((unchanged.status_code, unchanged.parsed), (304, None))

    def test_an_uploaded_file_keeps_its_bytes_and_its_type(self) -> None:
        id = self.create().id
        content = b"%PDF-1.7\n" + bytes(index % 256 for index in range(100_000))
        form = AttachmentCreate(File(BytesIO(content), "bytes.pdf", "application/pdf"), entity_id=id)
        uploaded = main.expect(Attachment, upload_attachment.sync(client=self.user, body=form))
        self.assertEqual(uploaded.entity_id, id)
        download = download_attachment.sync_detailed(uploaded.id, client=self.user)
        self.assertEqual(download.headers["Content-Type"], "application/pdf")
        self.assertEqual(main.expect(File, download.parsed).payload.read(), content)
        part = download_attachment.sync_detailed(uploaded.id, client=self.user, range_="bytes=0-7")
        self.assertEqual((part.status_code, main.expect(File, part.parsed).payload.read()), (206, b"%PDF-1.7"))

    def test_a_deletion_is_204_and_the_record_is_gone(self) -> None:
        id = self.create().id
        self.assertEqual(delete_organization.sync_detailed(id, client=self.user).status_code, 204)
        self.assertEqual(self.problem(get_organization.sync(id, client=self.user)).code, "ORGANIZATION_NOT_FOUND")

    def test_validation_failed_names_the_invalid_field(self) -> None:
        problem = self.problem(list_organizations.sync(client=self.user, limit=101))
        errors = problem.errors or []
        self.assertEqual((problem.code, [error.path for error in errors]), ("VALIDATION_FAILED", ["limit"]))

    def test_an_unknown_error_code_and_unknown_fields_are_readable(self) -> None:
        problem = self.problem(get_organization.sync(uuid4(), client=self.later))
        self.assertEqual(problem.code, "CODE_OF_A_LATER_VERSION")
        self.assertEqual(problem.detail, "A later version responds with this.")
        page = main.expect(OrganizationPage, list_organizations.sync(client=self.later))
        self.assertEqual(page.data[0].name, "Cooperativa Vale Verde")
