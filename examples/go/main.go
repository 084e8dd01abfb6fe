// Command profile-example calls the profile service with a generated client.
package main

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi-codegen.yaml openapi.json

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/oapi-codegen/nullable"

	"profile-example/profile"
)

var (
	serviceURL = cmp.Or(os.Getenv("PROFILE_URL"), "http://localhost:3000")
	tokenURL   = cmp.Or(os.Getenv("TOKEN_URL"), "http://localhost:3001/realms/profile/protocol/openid-connect/token")
)

// ProblemError is an error response of the service.
type ProblemError struct{ profile.Problem }

func (e *ProblemError) Error() string {
	return fmt.Sprintf("%s: %s Request id: %s", e.Code, e.Detail, e.Instance)
}

type response interface {
	StatusCode() int
	Bytes() []byte
}

// check returns an error response as a ProblemError.
func check[R response](r R, err error) (R, error) {
	if err != nil || r.StatusCode() < 400 {
		return r, err
	}
	problem := &ProblemError{}
	if err := json.Unmarshal(r.Bytes(), &problem.Problem); err != nil {
		return r, fmt.Errorf("status %d: %w", r.StatusCode(), err)
	}
	return r, problem
}

func getToken(form url.Values) (string, error) {
	r, err := http.PostForm(tokenURL, form)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return "", fmt.Errorf("no token: status %d", r.StatusCode)
	}
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	return answer.AccessToken, json.NewDecoder(r.Body).Decode(&answer)
}

// newClient returns a client that sends these headers with each request.
func newClient(headers map[string]string) (*profile.ClientWithResponses, error) {
	return profile.NewClientWithResponses(serviceURL, profile.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		return nil
	}))
}

// pdfForm returns an upload of a PDF, and its content type. The content type of the file is that of its part.
func pdfForm(name string, content []byte, fields map[string]string) (*bytes.Buffer, string) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for field, value := range fields {
		_ = form.WriteField(field, value) // A bytes.Buffer returns no errors.
	}
	part, _ := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition("file", name)},
		"Content-Type":        {"application/pdf"},
	})
	_, _ = part.Write(content)
	_ = form.Close()
	return &body, form.FormDataContentType()
}

func run(ctx context.Context) error {
	// An application has a token of its own. The token selects the tenant.
	token, err := getToken(url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"harvest"}, "client_secret": {"demo-harvest-secret"},
	})
	if err != nil {
		return err
	}
	application, err := newClient(map[string]string{"Authorization": "Bearer " + token})
	if err != nil {
		return err
	}
	limit := int32(5)
	linked, err := check(application.ListServiceOrganizationsWithResponse(ctx, &profile.ListServiceOrganizationsParams{Limit: &limit}))
	if err != nil {
		return err
	}
	// A page has the totals, unless the request has a cursor.
	fmt.Printf("The application sees %d organizations.\n", *linked.JSON200.Total)

	// A user chooses the active tenant with X-Tenant-Id. Real users log in with the authorization code flow.
	token, err = getToken(url.Values{
		"grant_type": {"password"}, "client_id": {"web"}, "username": {"beto@example.com"}, "password": {"demo"},
	})
	if err != nil {
		return err
	}
	headers := map[string]string{"Authorization": "Bearer " + token}
	user, err := newClient(headers)
	if err != nil {
		return err
	}
	tenants, err := check(user.ListMyTenantsWithResponse(ctx, nil))
	if err != nil {
		return err
	}
	for _, tenant := range tenants.JSON200.Data {
		if persona, err := tenant.Persona.Get(); err == nil && persona == profile.PersonaTenantAdmin {
			headers["X-Tenant-Id"] = tenant.ID.String()
		}
	}

	active := true
	page, err := check(user.ListOrganizationsWithResponse(ctx, &profile.ListOrganizationsParams{Active: &active, Limit: &limit}))
	if err != nil {
		return err
	}
	fmt.Printf("The tenant has %d active organizations.\n", *page.JSON200.Total)

	// The position of the present in the events.
	now := time.Now().UTC().Format(time.RFC3339)
	start, err := check(user.ListEventsWithResponse(ctx, &profile.ListEventsParams{StartDate: &now}))
	if err != nil {
		return err
	}

	created, err := check(user.CreateOrganizationWithResponse(ctx, nil, profile.OrganizationCreate{
		Name:         "Cooperativa Vale Verde",
		Alias:        nullable.NewNullableWithValue("Vale Verde"),
		FederalTaxID: fmt.Sprint(10_000_000_000_000 + rand.Int64N(90_000_000_000_000)),
		Address: profile.OrganizationAddressInput{
			ZipCode: "01001000", Street: "Praça da Sé", Number: "1", CityCode: 3550308, StateCode: 35,
		},
	}))
	if err != nil {
		return err
	}
	id := created.JSON201.ID

	// null clears the alias. The absent name stays.
	listed := false
	updated, err := check(user.UpdateOrganizationWithResponse(ctx, id, nil, profile.OrganizationUpdate{
		Alias:  nullable.NewNullNullable[string](),
		Listed: &listed,
	}))
	if err != nil {
		return err
	}
	fmt.Printf("%s: alias is null: %t, listed: %t.\n", updated.JSON200.Name, updated.JSON200.Alias.IsNull(), updated.JSON200.Listed)

	body, contentType := pdfForm("estatuto.pdf", []byte("%PDF-1.7\n"), map[string]string{
		"entityType": string(profile.AttachmentEntityTypeDOCUMENT), "entityId": id.String(),
	})
	attachment, err := check(user.UploadAttachmentWithBodyWithResponse(ctx, nil, contentType, body))
	if err != nil {
		return err
	}
	file, err := check(user.DownloadAttachmentWithResponse(ctx, attachment.JSON201.ID, nil))
	if err != nil {
		return err
	}
	fmt.Printf("Downloaded %d bytes of %s.\n", len(file.Body), attachment.JSON201.OriginalFilename)

	deleted, err := check(user.DeleteOrganizationWithResponse(ctx, id, nil))
	if err != nil {
		return err
	}
	fmt.Printf("Deleted: status %d.\n", deleted.StatusCode())

	_, err = check(user.GetOrganizationWithResponse(ctx, id, nil))
	var problem *ProblemError
	if !errors.As(err, &problem) {
		return errors.Join(errors.New("expected a problem"), err)
	}
	switch problem.Code {
	case "ORGANIZATION_NOT_FOUND":
		fmt.Println("The organization is gone.")
	default: // Later versions of the service may have more codes.
		return problem
	}

	var seen []string
	types := []profile.EventTypeFilter{profile.EventTypeFilterOrganization}
	err = follow(ctx, user, start.JSON200.NextCursor, types, func(page *profile.EventList) error {
		for _, event := range page.Data {
			if event.Record.ID == id.String() {
				seen = append(seen, event.Type)
			}
			if event.Type == "organization.deleted" && event.Record.ID == id.String() {
				return errDone
			}
		}
		return nil
	})
	if !errors.Is(err, errDone) {
		return err
	}
	fmt.Printf("Events: %s.\n", strings.Join(seen, ", "))
	return nil
}

// errDone ends the loop over the events.
var errDone = errors.New("done")

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}
