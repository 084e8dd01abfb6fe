{{/* Environment entries of secret settings. Call with (dict "root" $ "only" (list …)); without "only", all of them. */}}
{{- define "profile-service.secretEnv" -}}
{{- $values := .root.Values -}}
{{- $only := .only -}}
{{- range $setting, $reference := $values.secretSettings }}
{{- $unused := and $values.storageDir.existingClaim (hasPrefix "STORAGE_" $setting) -}}
{{- if and (not $unused) (or (not $only) (has $setting $only)) }}
- name: {{ $setting }}
  valueFrom:
    secretKeyRef:
      name: {{ $reference.name | default $values.existingSecret | required (printf "existingSecret is not set: name the Secret that contains %s, here or in secretSettings.%s.name" $setting $setting) }}
      key: {{ $reference.key | default $setting }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Environment entries of the certificate authorities. */}}
{{- define "profile-service.caEnv" -}}
{{- range $name, $variable := dict "extra" "NODE_EXTRA_CA_CERTS" "database" "DATABASE_CA_FILE" }}
{{- $ca := get $.Values.ca $name }}
{{- if or $ca.configMap $ca.secret }}
- name: {{ $variable }}
  value: /etc/profile-service/ca/{{ $name }}/{{ $ca.key }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "profile-service.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- range $name, $ca := .Values.ca }}
{{- if or $ca.configMap $ca.secret }}
- { name: ca-{{ $name }}, mountPath: /etc/profile-service/ca/{{ $name }}, readOnly: true }
{{- end }}
{{- end }}
{{- end -}}

{{- define "profile-service.volumes" -}}
- name: tmp
  emptyDir: {}
{{- range $name, $ca := .Values.ca }}
{{- if $ca.configMap }}
- name: ca-{{ $name }}
  configMap: { name: {{ $ca.configMap }} }
{{- else if $ca.secret }}
- name: ca-{{ $name }}
  secret: { secretName: {{ $ca.secret }} }
{{- end }}
{{- end }}
{{- end -}}
