package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"testing"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"profile-example/profile"
)

var (
	ctx    = context.Background()
	anyID  = openapi_types.UUID{1}
	tenant = "" // X-Tenant-Id of a tenant that the user administers
)

// clients returns a client of a user with an active tenant, and one without.
func clients(t *testing.T) (user, withoutTenant *profile.ClientWithResponses) {
	t.Helper()
	token, err := getToken(url.Values{
		"grant_type": {"password"}, "client_id": {"web"}, "username": {"beto@example.com"}, "password": {"demo"},
	})
	require(t, err)
	withoutTenant, err = newClient(map[string]string{"Authorization": "Bearer " + token})
	require(t, err)
	tenants, err := check(withoutTenant.ListMyTenantsWithResponse(ctx, nil))
	require(t, err)
	for _, membership := range tenants.JSON200.Data {
		if persona, err := membership.Persona.Get(); err == nil && persona == profile.PersonaTenantAdmin {
			tenant = membership.ID.String()
		}
	}
	user, err = newClient(map[string]string{"Authorization": "Bearer " + token, "X-Tenant-Id": tenant})
	require(t, err)
	return user, withoutTenant
}

func require(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func problemOf(t *testing.T, err error) profile.Problem {
	t.Helper()
	var problem *ProblemError
	if !errors.As(err, &problem) {
		t.Fatalf("got %v, want a problem", err)
	}
	return problem.Problem
}

func create(t *testing.T, user *profile.ClientWithResponses) openapi_types.UUID {
	t.Helper()
	created, err := check(user.CreateOrganizationWithResponse(ctx, nil, profile.OrganizationCreate{
		Name:         "Checks",
		Alias:        nullable.NewNullableWithValue("First alias"),
		FederalTaxID: fmt.Sprintf("GO%012d", rand.Int64N(1_000_000_000_000)),
		Metadata:     nullable.NewNullableWithValue(profile.JSONObject{"a": map[string]any{"b": []any{1.0, "ü", nil}}}),
		Address: profile.OrganizationAddressInput{
			ZipCode: "01001000", Street: "Praça da Sé", Number: "1", CityCode: 3550308, StateCode: 35,
		},
	}))
	require(t, err)
	equal(t, created.StatusCode(), http.StatusCreated)
	return created.JSON201.ID
}

func TestUserOfSeveralTenantsNeedsXTenantID(t *testing.T) {
	_, withoutTenant := clients(t)
	_, err := check(withoutTenant.ListOrganizationsWithResponse(ctx, nil))
	problem := problemOf(t, err)
	equal(t, []any{problem.Code, problem.Status}, []any{"ACTIVE_TENANT_REQUIRED", int32(403)})
}

func TestPutClearsNullAndKeepsAbsent(t *testing.T) {
	user, _ := clients(t)
	id := create(t, user)
	listed := false
	_, err := check(user.UpdateOrganizationWithResponse(ctx, id, nil, profile.OrganizationUpdate{
		Alias: nullable.NewNullNullable[string](), Listed: &listed,
	}))
	require(t, err)
	read, err := check(user.GetOrganizationWithResponse(ctx, id, nil))
	require(t, err)
	organization := read.JSON200
	equal(t, []any{organization.Name, organization.Alias.IsNull(), organization.Listed, organization.Active}, []any{"Checks", true, false, true})
	equal(t, organization.Metadata.MustGet(), profile.JSONObject{"a": map[string]any{"b": []any{1.0, "ü", nil}}})
}

func TestIfMatchWithOldVersionIsPreconditionFailed(t *testing.T) {
	user, _ := clients(t)
	id := create(t, user)
	read, err := check(user.GetOrganizationWithResponse(ctx, id, nil))
	require(t, err)
	name := "Other"
	_, err = check(user.UpdateOrganizationWithResponse(ctx, id, nil, profile.OrganizationUpdate{Name: &name}))
	require(t, err)
	params := &profile.UpdateOrganizationParams{IfMatch: read.Headers200.ETag}
	_, err = check(user.UpdateOrganizationWithResponse(ctx, id, params, profile.OrganizationUpdate{Name: &name}))
	equal(t, problemOf(t, err).Code, "PRECONDITION_FAILED")
	anyVersion := "*"
	unchanged, err := check(user.GetOrganizationWithResponse(ctx, id, &profile.GetOrganizationParams{IfNoneMatch: &anyVersion}))
	require(t, err)
	equal(t, unchanged.StatusCode(), http.StatusNotModified)
}

func TestUploadedFileKeepsBytesAndType(t *testing.T) {
	user, _ := clients(t)
	id := create(t, user)
	content := []byte("%PDF-1.7\n")
	for index := range 100_000 {
		content = append(content, byte(index))
	}
	body, contentType := pdfForm("bytes.pdf", content, map[string]string{"entityId": id.String()})
	uploaded, err := check(user.UploadAttachmentWithBodyWithResponse(ctx, nil, contentType, body))
	require(t, err)
	equal(t, uploaded.JSON201.EntityID.MustGet(), id)
	file, err := check(user.DownloadAttachmentWithResponse(ctx, uploaded.JSON201.ID, nil))
	require(t, err)
	equal(t, file.HTTPResponse.Header.Get("Content-Type"), "application/pdf")
	if !bytes.Equal(file.Body, content) {
		t.Fatalf("downloaded %d other bytes", len(file.Body))
	}
	first := "bytes=0-7"
	part, err := check(user.DownloadAttachmentWithResponse(ctx, uploaded.JSON201.ID, &profile.DownloadAttachmentParams{Range: &first}))
	require(t, err)
	equal(t, []any{part.StatusCode(), string(part.Body)}, []any{http.StatusPartialContent, "%PDF-1.7"})
}

func TestDeletionIs204AndRecordIsGone(t *testing.T) {
	user, _ := clients(t)
	id := create(t, user)
	deleted, err := check(user.DeleteOrganizationWithResponse(ctx, id, nil))
	require(t, err)
	equal(t, deleted.StatusCode(), http.StatusNoContent)
	_, err = check(user.GetOrganizationWithResponse(ctx, id, nil))
	equal(t, problemOf(t, err).Code, "ORGANIZATION_NOT_FOUND")
}

func TestValidationFailedNamesInvalidField(t *testing.T) {
	user, _ := clients(t)
	limit := int32(101)
	_, err := check(user.ListOrganizationsWithResponse(ctx, &profile.ListOrganizationsParams{Limit: &limit}))
	problem := problemOf(t, err)
	equal(t, []any{problem.Code, problem.Errors[0].Path}, []any{"VALIDATION_FAILED", "limit"})
}

func TestUnknownErrorCodeAndUnknownFieldsAreReadable(t *testing.T) {
	later, err := profile.NewClientWithResponses(os.Getenv("LATER_VERSION_URL"))
	require(t, err)
	_, err = check(later.GetOrganizationWithResponse(ctx, anyID, nil))
	problem := problemOf(t, err)
	equal(t, []string{problem.Code, problem.Detail}, []string{"CODE_OF_A_LATER_VERSION", "A later version responds with this."})
	page, err := check(later.ListOrganizationsWithResponse(ctx, nil))
	require(t, err)
	equal(t, page.JSON200.Data[0].Name, "Cooperativa Vale Verde")
}
