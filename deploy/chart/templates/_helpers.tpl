{{- define "isotail.labels" -}}
app.kubernetes.io/name: isotail
app.kubernetes.io/part-of: isotail
{{- end }}

{{- define "isotail.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- /* The name has a hash of the contents: changed settings roll the pods. */}}
{{- define "isotail.settings" -}}
isotail-{{ toYaml .Values.config | sha256sum | trunc 10 }}
{{- end }}
