package example;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import profile.ApiClient;
import profile.ApiException;
import profile.api.AttachmentsApi;
import profile.api.AttachmentsApi.APIDownloadAttachmentRequest;
import profile.api.MeApi;
import profile.api.MeApi.APIListMyTenantsRequest;
import profile.api.OrganizationsApi;
import profile.api.OrganizationsApi.APICreateOrganizationRequest;
import profile.api.OrganizationsApi.APIDeleteOrganizationRequest;
import profile.api.OrganizationsApi.APIGetOrganizationRequest;
import profile.api.OrganizationsApi.APIListOrganizationsRequest;
import profile.api.OrganizationsApi.APIUpdateOrganizationRequest;
import profile.model.OrganizationAddressInput;
import profile.model.OrganizationCreate;
import profile.model.OrganizationUpdate;
import profile.model.Persona;
import profile.model.Problem;

/** Prints a line for each check, which begins with "ok" or "not ok". */
class Checks {
    interface Check {
        void run() throws Exception;
    }

    static ApiClient user;
    static OrganizationsApi organizations;
    static final Map<String, Object> metadata = Map.of("a", Map.of("b", Arrays.asList(1, "ü", null)));

    public static void main(String[] args) throws Exception {
        String token = Main.getToken(
                Map.of("grant_type", "password", "client_id", "web", "username", "beto@example.com", "password", "demo"));
        ApiClient withoutTenant = Main.client(Map.of("Authorization", "Bearer " + token));
        var tenants = new MeApi(withoutTenant).listMyTenants(APIListMyTenantsRequest.newBuilder().build()).getData();
        var tenant = tenants.stream().filter(one -> one.getPersona() == Persona.TENANT_ADMIN).findFirst().orElseThrow();
        user = Main.client(Map.of("Authorization", "Bearer " + token, "X-Tenant-Id", tenant.getId().toString()));
        organizations = new OrganizationsApi(user);

        check("a user of several tenants needs X-Tenant-Id", () -> {
            var list = APIListOrganizationsRequest.newBuilder().build();
            Problem problem = problem(() -> new OrganizationsApi(withoutTenant).listOrganizations(list));
            equal(List.of(problem.getCode(), problem.getStatus()), List.of("ACTIVE_TENANT_REQUIRED", 403));
        });
        check("a PUT clears what is null and keeps what is absent", () -> {
            UUID id = create();
            organizations.updateOrganization(update(id, new OrganizationUpdate().alias(null).listed(false)).build());
            var read = organizations.getOrganization(get(id));
            equal(Arrays.asList(read.getName(), read.getAlias(), read.getListed(), read.getActive()), Arrays.asList("Checks", null, false, true));
            equal(read.getMetadata(), metadata);
        });
        check("an If-Match with an old version is PRECONDITION_FAILED", () -> {
            UUID id = create();
            String version = organizations.getOrganizationWithHttpInfo(get(id)).getHeaders().get("etag").get(0);
            organizations.updateOrganization(update(id, new OrganizationUpdate().name("Other")).build());
            var lost = update(id, new OrganizationUpdate().name("Lost")).ifMatch(version).build();
            equal(problem(() -> organizations.updateOrganization(lost)).getCode(), "PRECONDITION_FAILED");
            var current = APIGetOrganizationRequest.newBuilder().id(id).ifNoneMatch("*").build();
            equal(error(() -> organizations.getOrganization(current)).getCode(), 304);
        });
        check("an uploaded file keeps its bytes and its type", () -> {
            UUID id = create();
            byte[] content = new byte[100_000];
            for (int index = 0; index < content.length; index++) content[index] = (byte) index;
            System.arraycopy("%PDF-1.7\n".getBytes(StandardCharsets.US_ASCII), 0, content, 0, 9);
            Path file = Files.write(Files.createTempFile("bytes", ".pdf"), content);
            var uploaded = Main.upload(user, file, "application/pdf", Map.of("entityId", id.toString()));
            equal(uploaded.getEntityId(), id);
            var attachments = new AttachmentsApi(user);
            var download = attachments.downloadAttachmentWithHttpInfo(APIDownloadAttachmentRequest.newBuilder().id(uploaded.getId()).build());
            equal(download.getHeaders().get("content-type"), List.of("application/pdf"));
            equal(Arrays.equals(Files.readAllBytes(download.getData().toPath()), content), true);
            var first = APIDownloadAttachmentRequest.newBuilder().id(uploaded.getId()).range("bytes=0-7").build();
            var part = attachments.downloadAttachmentWithHttpInfo(first);
            equal(List.of(part.getStatusCode(), Files.readString(part.getData().toPath())), List.of(206, "%PDF-1.7"));
        });
        check("a deletion is 204, and the record is gone", () -> {
            UUID id = create();
            var deletion = APIDeleteOrganizationRequest.newBuilder().id(id).build();
            equal(organizations.deleteOrganizationWithHttpInfo(deletion).getStatusCode(), 204);
            equal(problem(() -> organizations.getOrganization(get(id))).getCode(), "ORGANIZATION_NOT_FOUND");
        });
        check("VALIDATION_FAILED names the invalid field", () -> {
            var list = APIListOrganizationsRequest.newBuilder().limit(101).build();
            Problem problem = problem(() -> organizations.listOrganizations(list));
            equal(List.of(problem.getCode(), problem.getErrors().get(0).getPath()), List.of("VALIDATION_FAILED", "limit"));
        });
        check("an unknown error code and unknown fields are readable", () -> {
            var client = new ApiClient();
            client.updateBaseUri(System.getenv("LATER_VERSION_URL"));
            var later = new OrganizationsApi(client);
            Problem problem = problem(() -> later.getOrganization(get(UUID.randomUUID())));
            equal(List.of(problem.getCode(), problem.getDetail()), List.of("CODE_OF_A_LATER_VERSION", "A later version responds with this."));
            var page = later.listOrganizations(APIListOrganizationsRequest.newBuilder().build());
            equal(page.getData().get(0).getName(), "Cooperativa Vale Verde");
        });
    }

    static void check(String name, Check check) {
        try {
            check.run();
            System.out.println("ok - " + name);
        } catch (Exception | AssertionError error) {
            System.out.println("not ok - " + name);
            error.printStackTrace(System.out);
        }
    }

    static void equal(Object got, Object want) {
        if (!Objects.equals(got, want)) throw new AssertionError("got " + got + ", want " + want);
    }

    static ApiException error(Callable<?> call) throws Exception {
        try {
            throw new AssertionError("got " + call.call() + ", want an error");
        } catch (ApiException error) {
            return error;
        }
    }

    static Problem problem(Callable<?> call) throws Exception {
        return Main.problemOf(user, error(call));
    }

    static UUID create() throws ApiException {
        var body = new OrganizationCreate()
                .name("Checks")
                .alias("First alias")
                .federalTaxId(String.format("JV%012d", ThreadLocalRandom.current().nextLong(1_000_000_000_000L)))
                .metadata(metadata)
                .address(new OrganizationAddressInput().zipCode("01001000").street("Praça da Sé").number("1").cityCode(3550308).stateCode(35));
        var response = organizations.createOrganizationWithHttpInfo(
                APICreateOrganizationRequest.newBuilder().organizationCreate(body).build());
        equal(response.getStatusCode(), 201);
        return response.getData().getId();
    }

    static APIGetOrganizationRequest get(UUID id) {
        return APIGetOrganizationRequest.newBuilder().id(id).build();
    }

    static APIUpdateOrganizationRequest.Builder update(UUID id, OrganizationUpdate body) {
        return APIUpdateOrganizationRequest.newBuilder().id(id).organizationUpdate(body);
    }
}
