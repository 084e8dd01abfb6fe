{{- define "profile-service.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that select objects of the release. Call with (dict "root" $ "component" "api"). */}}
{{- define "profile-service.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "profile-service.labels" -}}
{{ include "profile-service.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "profile-service.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ printf "%s@%s" .repository .digest }}
{{- else -}}
{{ printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A value of a ConfigMap. Helm reads numbers as floats, and would write a large integer as 2.62144e+07. */}}
{{- define "profile-service.settingValue" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}{{ int64 . }}{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{/* The settings of the ConfigMap as YAML: those of the values and those that the chart derives. */}}
{{- define "profile-service.settings" -}}
{{- $settings := dict "NODE_ENV" "production" "PORT" .Values.ports.http "MANAGEMENT_PORT" .Values.ports.management -}}
{{- if .Values.storageDir.existingClaim -}}
{{- $_ := set $settings "STORAGE_DIR" "/files" -}}
{{- end -}}
{{- if .Values.ingress.enabled -}}
{{- $scheme := ternary "https" "http" (not (empty .Values.ingress.tlsSecret)) -}}
{{- $_ := set $settings "PUBLIC_URL" (printf "%s://%s%s" $scheme .Values.ingress.host (trimSuffix "/" .Values.ingress.path)) -}}
{{- end -}}
{{- range $name, $value := mergeOverwrite $settings .Values.settings }}
{{ $name }}: {{ include "profile-service.settingValue" $value | quote }}
{{- end -}}
{{- end -}}

{{- define "profile-service.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
{{- if .Values.storageDir.existingClaim }}
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
{{- end }}
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "profile-service.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Fields of every pod. */}}
{{- define "profile-service.podFields" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
securityContext: {{- include "profile-service.podSecurityContext" . | nindent 2 }}
{{- end -}}
