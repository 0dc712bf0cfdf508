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
  private static final String USER = "http.user";
  private static final String PASSWORD = "http.password";
  private static final String PASSWORD_FILE = "http.password-file";
  private static final String CERTIFICATE = "http.tls.certificate";
  private static final String KEY = "http.tls.key";
  private static final String NOT_SHOWN = "(not shown)";

  private final SettingReader settings;

  private HttpSettings(SettingReader settings) {
    this.settings = settings;
  }

  static MonitorConfig.Http read(SettingReader settings) {
    HttpSettings http = new HttpSettings(settings);
    return new MonitorConfig.Http(
        http.host(),
        settings.number("http.port", 0, 65_535),
        http.publicUrl(),
        http.login(),
        http.tls());
  }

  private String host() {
    String host = settings.text("http.host");
    boolean ipv6 = host.matches("[0-9a-fA-F]*:[0-9a-fA-F:.]*:[0-9a-fA-F.]*(%[A-Za-z0-9._-]+)?");
    if (!ipv6 && !host.matches("[A-Za-z0-9]([A-Za-z0-9._-]*)")) {
      settings.wrong(
          "http.host", host, "expected a name or an address such as 127.0.0.1 or ::1, no port");
    }
    return host;
  }

  private @Nullable String publicUrl() {
    String url = settings.text("http.public-url");
    if (url.isEmpty()) {
      return null;
    }
    try {
      URI uri = new URI(url);
      boolean plain =
          uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getUserInfo() == null;
      if (url.matches("https?://.*") && uri.getHost() != null && plain && uri.getPort() <= 65_535) {
        return url;
      }
    } catch (URISyntaxException e) {
      // Reported below, as other addresses are that are no good.
    }
    // User and password, where somebody put them into it, stay out of the logs.
    settings.wrong(
        "http.public-url",
        url.replaceFirst("//.*@", "//…@"),
        "expected http(s)://HOST[:PORT][/PATH], without user, query and fragment");
    return null;
  }

  private MonitorConfig.@Nullable Login login() {
    String user = settings.text(USER);
    String password = settings.verbatim(PASSWORD);
    String file = settings.text(PASSWORD_FILE);
    if (!user.isEmpty() && password.isEmpty() && file.isEmpty()) {
      settings.wrong(
          USER, user, "set alone; expected %s or %s too".formatted(PASSWORD, PASSWORD_FILE));
    }
    if (user.isEmpty() && !password.isEmpty()) {
      settings.wrong(PASSWORD, NOT_SHOWN, "set alone; expected %s too".formatted(USER));
    }
    if (user.isEmpty() && !file.isEmpty()) {
      settings.wrong(PASSWORD_FILE, file, "set alone; expected %s too".formatted(USER));
    }
    if (!password.isEmpty() && !file.isEmpty()) {
      settings.wrong(
          PASSWORD_FILE, file, "%s is set too; expected one of the two".formatted(PASSWORD));
    }
    if (!user.matches("[^:\\p{Cntrl}]*")) {
      settings.wrong(USER, user, "expected a name without : and control characters");
    }
    if (!password.matches("\\P{Cntrl}*")) {
      settings.wrong(PASSWORD, NOT_SHOWN, "expected no control characters");
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
          PASSWORD_FILE,
          file,
          "%s; expected a password on one line"
              .formatted(password.isEmpty() ? "empty" : "more than one line"));
    } catch (IOException | InvalidPathException e) {
      settings.wrong(
          PASSWORD_FILE, file, "cannot be read (%s); expected a file with a password".formatted(e));
    }
    return "";
  }

  private MonitorConfig.@Nullable Tls tls() {
    String certificate = settings.text(CERTIFICATE);
    String key = settings.text(KEY);
    if (certificate.isEmpty() && key.isEmpty()) {
      return null;
    }
    if (certificate.isEmpty() || key.isEmpty()) {
      boolean hasKey = certificate.isEmpty();
      settings.wrong(
          hasKey ? KEY : CERTIFICATE,
          hasKey ? key : certificate,
          "set alone; expected %s too".formatted(hasKey ? CERTIFICATE : KEY));
    }
    PemFiles pem = new PemFiles(settings);
    boolean usable = pem.check(CERTIFICATE, certificate, KEY, key);
    return usable ? new MonitorConfig.Tls(Path.of(certificate), Path.of(key)) : null;
  }
}
