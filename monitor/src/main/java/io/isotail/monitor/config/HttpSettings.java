package io.isotail.monitor.config;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The settings of the page, the API and the metrics. */
final class HttpSettings {
  private static final String NOT_SHOWN = "(not shown)";

  /** What stands in place of a trace's id. */
  private static final String TRACE = "{trace}";

  private final SettingReader settings;

  private HttpSettings(SettingReader settings) {
    this.settings = settings;
  }

  /**
   * Reads them.
   *
   * @param port the setting of the port, which has another default in each command
   */
  static MonitorConfig.Http read(SettingReader settings, Setting port) {
    HttpSettings http = new HttpSettings(settings);
    return new MonitorConfig.Http(
        settings.text(Setting.HTTP_HOST),
        settings.number(port),
        http.publicUrl(),
        http.runbookUrl(),
        http.login(),
        PemFiles.read(settings, Setting.HTTP_TLS_CERTIFICATE, Setting.HTTP_TLS_KEY),
        http.traceUrlTemplate());
  }

  private @Nullable String publicUrl() {
    String url = settings.address(Setting.HTTP_PUBLIC_URL);
    return url.isEmpty() ? null : url;
  }

  private String runbookUrl() {
    String url = settings.address(Setting.HTTP_RUNBOOK_URL);
    return url.isEmpty() ? Setting.HTTP_RUNBOOK_URL.fallback() : url;
  }

  private @Nullable String traceUrlTemplate() {
    String template = settings.text(Setting.TRACE_URL_TEMPLATE);
    if (template.isEmpty()) {
      return null;
    }
    try {
      URI uri = new URI(template.replace(TRACE, "0af7651916cd43dd8448eb211c80319c"));
      if (template.matches("https?://[^{]*/.*")
          && template.contains(TRACE)
          && uri.getHost() != null
          && uri.getUserInfo() == null) {
        return template;
      }
    } catch (URISyntaxException e) {
      // Reported below, as other addresses are that are no good.
    }
    settings.wrong(
        Setting.TRACE_URL_TEMPLATE,
        template.replaceFirst("//.*@", "//…@"),
        "expected http(s)://HOST[:PORT]/… with {trace} in place of the trace's id, without user");
    return null;
  }

  private MonitorConfig.@Nullable Login login() {
    String user = settings.text(Setting.HTTP_USER);
    String password = settings.verbatim(Setting.HTTP_PASSWORD);
    String file = settings.text(Setting.HTTP_PASSWORD_FILE);
    if (!user.isEmpty() && password.isEmpty() && file.isEmpty()) {
      settings.wrong(
          Setting.HTTP_USER,
          user,
          "set alone; expected %s or %s too"
              .formatted(Setting.HTTP_PASSWORD, Setting.HTTP_PASSWORD_FILE));
    }
    if (user.isEmpty() && !password.isEmpty()) {
      settings.wrong(
          Setting.HTTP_PASSWORD,
          NOT_SHOWN,
          "set alone; expected %s too".formatted(Setting.HTTP_USER));
    }
    if (user.isEmpty() && !file.isEmpty()) {
      settings.wrong(
          Setting.HTTP_PASSWORD_FILE,
          file,
          "set alone; expected %s too".formatted(Setting.HTTP_USER));
    }
    if (!password.isEmpty() && !file.isEmpty()) {
      settings.wrong(
          Setting.HTTP_PASSWORD_FILE,
          file,
          "%s is set too; expected one of the two".formatted(Setting.HTTP_PASSWORD));
    }
    if (!user.matches("[^:\\p{Cntrl}]*")) {
      settings.wrong(Setting.HTTP_USER, user, "expected a name without : and control characters");
    }
    if (!password.matches("\\P{Cntrl}*")) {
      settings.wrong(Setting.HTTP_PASSWORD, NOT_SHOWN, "expected no control characters");
    }
    String secret = file.isEmpty() ? password : passwordIn(file);
    return user.isEmpty() || secret.isEmpty() ? null : new MonitorConfig.Login(user, secret);
  }

  private String passwordIn(String file) {
    try {
      String password = Files.readString(Path.of(file)).replaceFirst("\\R\\z", "");
      if (!password.isEmpty() && password.matches("\\P{Cntrl}*")) {
        return password;
      }
      settings.wrong(
          Setting.HTTP_PASSWORD_FILE,
          file,
          "%s; expected a password on one line"
              .formatted(password.isEmpty() ? "empty" : "more than one line"));
    } catch (IOException | InvalidPathException e) {
      settings.wrong(
          Setting.HTTP_PASSWORD_FILE,
          file,
          "cannot be read (%s); expected a file with a password".formatted(e));
    }
    return "";
  }
}
