package example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.apache.http.entity.ContentType;
import org.apache.http.entity.mime.MultipartEntityBuilder;
import profile.ApiClient;
import profile.ApiException;
import profile.api.AttachmentsApi;
import profile.api.AttachmentsApi.APIDownloadAttachmentRequest;
import profile.api.EventsApi;
import profile.api.EventsApi.APIListEventsRequest;
import profile.api.MeApi;
import profile.api.MeApi.APIListMyTenantsRequest;
import profile.api.OrganizationsApi;
import profile.api.OrganizationsApi.APICreateOrganizationRequest;
import profile.api.OrganizationsApi.APIDeleteOrganizationRequest;
import profile.api.OrganizationsApi.APIGetOrganizationRequest;
import profile.api.OrganizationsApi.APIListOrganizationsRequest;
import profile.api.OrganizationsApi.APIListServiceOrganizationsRequest;
import profile.api.OrganizationsApi.APIUpdateOrganizationRequest;
import profile.model.Attachment;
import profile.model.EventTypeFilter;
import profile.model.Membership;
import profile.model.OrganizationAddressInput;
import profile.model.OrganizationCreate;
import profile.model.OrganizationUpdate;
import profile.model.Persona;
import profile.model.Problem;

/** Calls the profile service with a generated client. */
public class Main {
    static final Map<String, String> env = System.getenv();
    static final String serviceUrl = env.getOrDefault("PROFILE_URL", "http://localhost:3000");
    static final String tokenUrl =
            env.getOrDefault("TOKEN_URL", "http://localhost:3001/realms/profile/protocol/openid-connect/token");
    static final HttpClient http = HttpClient.newHttpClient();

    public static void main(String[] args) throws Exception {
        // An application has a token of its own. The token selects the tenant.
        String serviceToken = getToken(Map.of(
                "grant_type", "client_credentials", "client_id", "harvest", "client_secret", "demo-harvest-secret"));
        var application = new OrganizationsApi(client(Map.of("Authorization", "Bearer " + serviceToken)));
        var linked = application.listServiceOrganizations(
                APIListServiceOrganizationsRequest.newBuilder().limit(5).build());
        System.out.printf("The application sees %d organizations.%n", linked.getTotal());

        // A user chooses the active tenant with X-Tenant-Id. Real users log in with the authorization code flow.
        String userToken = getToken(Map.of(
                "grant_type", "password", "client_id", "web", "username", "beto@example.com", "password", "demo"));
        Map<String, String> headers = new HashMap<>(Map.of("Authorization", "Bearer " + userToken));
        Membership tenant = new MeApi(client(headers)).listMyTenants(APIListMyTenantsRequest.newBuilder().build()).getData().stream()
                .filter(membership -> membership.getPersona() == Persona.TENANT_ADMIN)
                .findFirst()
                .orElseThrow();
        headers.put("X-Tenant-Id", tenant.getId().toString());
        ApiClient user = client(headers);
        var organizations = new OrganizationsApi(user);

        var page = organizations.listOrganizations(
                APIListOrganizationsRequest.newBuilder().active(true).limit(5).build());
        System.out.printf("%s: %d active organizations.%n", tenant.getName(), page.getTotal());

        // The position of the present in the events.
        var present = APIListEventsRequest.newBuilder().startDate(Instant.now().toString()).build();
        String cursor = new EventsApi(user).listEvents(present).getNextCursor();

        var organization = new OrganizationCreate()
                .name("Cooperativa Vale Verde")
                .alias("Vale Verde")
                .federalTaxId(String.valueOf(ThreadLocalRandom.current().nextLong(10_000_000_000_000L, 100_000_000_000_000L)))
                .address(new OrganizationAddressInput()
                        .zipCode("01001000")
                        .street("Praça da Sé")
                        .number("1")
                        .cityCode(3550308)
                        .stateCode(35));
        var created = organizations.createOrganization(
                APICreateOrganizationRequest.newBuilder().organizationCreate(organization).build());
        UUID id = created.getId();

        // null clears the alias. The absent name stays.
        var changes = new OrganizationUpdate().alias(null).listed(false);
        var updated = organizations.updateOrganization(
                APIUpdateOrganizationRequest.newBuilder().id(id).organizationUpdate(changes).build());
        System.out.printf("%s: alias %s, listed %s.%n", updated.getName(), updated.getAlias(), updated.getListed());

        Path pdf = Files.writeString(Files.createTempFile("estatuto", ".pdf"), "%PDF-1.7\n");
        Attachment attachment = upload(user, pdf, "application/pdf", Map.of("entityType", "DOCUMENT", "entityId", id.toString()));
        File file = new AttachmentsApi(user).downloadAttachment(
                APIDownloadAttachmentRequest.newBuilder().id(attachment.getId()).build());
        System.out.printf("Downloaded %d bytes of %s.%n", file.length(), attachment.getOriginalFilename());

        var deleted = organizations.deleteOrganizationWithHttpInfo(
                APIDeleteOrganizationRequest.newBuilder().id(id).build());
        System.out.printf("Deleted: status %d.%n", deleted.getStatusCode());

        try {
            organizations.getOrganization(APIGetOrganizationRequest.newBuilder().id(id).build());
        } catch (ApiException error) {
            Problem problem = problemOf(user, error);
            switch (problem.getCode()) {
                case "ORGANIZATION_NOT_FOUND" -> System.out.println("The organization is gone.");
                // Later versions of the service may have more codes.
                default -> throw error;
            }
        }

        var seen = new ArrayList<String>();
        new Events(user).follow(cursor, List.of(EventTypeFilter.ORGANIZATION_), events -> {
            for (var event : events.getData()) if (event.getRecord().getId().equals(id.toString())) seen.add(event.getType());
            return !seen.contains("organization.deleted");
        });
        System.out.printf("Events: %s.%n", String.join(", ", seen));
    }

    /** Returns a client that sends these headers with each request. */
    static ApiClient client(Map<String, String> headers) {
        var client = new ApiClient();
        client.updateBaseUri(serviceUrl);
        client.setRequestInterceptor(request -> headers.forEach(request::header));
        return client;
    }

    /** Returns the problem of an error response. Throws the error if there was no response. */
    static Problem problemOf(ApiClient client, ApiException error) throws ApiException, IOException {
        if (error.getResponseBody() == null) throw error;
        return client.getObjectMapper().readValue(error.getResponseBody(), Problem.class);
    }

    /** Uploads a file. The generated method cannot set the content type of the file, which the service checks. */
    static Attachment upload(ApiClient client, Path file, String contentType, Map<String, String> fields) throws Exception {
        var form = MultipartEntityBuilder.create()
                .addBinaryBody("file", file.toFile(), ContentType.create(contentType), file.getFileName().toString());
        fields.forEach((name, value) -> form.addTextBody(name, value, ContentType.create("text/plain", StandardCharsets.UTF_8)));
        var body = form.build();
        var bytes = new ByteArrayOutputStream();
        body.writeTo(bytes);
        var request = HttpRequest.newBuilder(URI.create(client.getBaseUri() + "/api/attachments"))
                .header("Content-Type", body.getContentType().getValue())
                .POST(HttpRequest.BodyPublishers.ofByteArray(bytes.toByteArray()));
        client.getRequestInterceptor().accept(request);
        var response = client.getHttpClient().send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() != 201) {
            throw new ApiException(response.statusCode(), "Upload failed", response.headers(), response.body());
        }
        return client.getObjectMapper().readValue(response.body(), Attachment.class);
    }

    static String getToken(Map<String, String> form) throws IOException, InterruptedException {
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        var request = HttpRequest.newBuilder(URI.create(tokenUrl))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        JsonNode answer = new ObjectMapper().readTree(http.send(request.build(), BodyHandlers.ofString()).body());
        return answer.required("access_token").asText();
    }
}
