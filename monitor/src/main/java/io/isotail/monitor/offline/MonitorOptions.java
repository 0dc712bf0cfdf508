package io.isotail.monitor.offline;

import io.isotail.monitor.resolve.ResolveException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which monitor to ask, and as whom. */
public final class MonitorOptions {
  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The running monitor to ask (default: ${DEFAULT-VALUE}).")
  private String url = "http://127.0.0.1:9617";

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "The monitor's http.user (default: ISOTAIL_HTTP_USER).")
  private @Nullable String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description =
          "File with the monitor's http.password, on one line (default: ISOTAIL_HTTP_PASSWORD).")
  private @Nullable String passwordFile;

  @Option(
      names = "--cacert",
      paramLabel = "FILE",
      description = "PEM file with the certificates to trust, for a monitor with one of its own.")
  private @Nullable Path cacert;

  /**
   * The monitor to ask.
   *
   * @param given its address where it was given beside the options, null otherwise
   */
  MonitorApi api(@Nullable String given) throws ResolveException, IOException {
    URI usual = address(url);
    URI asked = given == null ? usual : address(given);
    boolean isUsual = usual.getRawAuthority().equals(asked.getRawAuthority());
    // The environment's password is for the usual monitor, not for whatever a link leads to.
    return new MonitorApi(asked, isUsual || user != null ? login() : null, trusted());
  }

  private static URI address(String text) throws ResolveException {
    try {
      URI uri = URI.create(text);
      if (uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new ResolveException(
        "--url %s is no address of a monitor; expected http://HOST:PORT".formatted(text));
  }

  private MonitorApi.@Nullable Login login() throws ResolveException, IOException {
    String name = user == null ? System.getenv("ISOTAIL_HTTP_USER") : user;
    String password =
        passwordFile == null
            ? System.getenv("ISOTAIL_HTTP_PASSWORD")
            : InputFiles.oneLine("--password-file", passwordFile);
    if (name == null) {
      if (passwordFile != null) {
        throw new ResolveException("--password-file without a user; expected --user too");
      }
      return null;
    }
    if (password == null) {
      throw new ResolveException(
          "found no password of user %s; expected --password-file or ISOTAIL_HTTP_PASSWORD"
              .formatted(name));
    }
    return new MonitorApi.Login(name, password);
  }

  private @Nullable SSLContext trusted() throws ResolveException, IOException {
    if (cacert == null) {
      return null;
    }
    try (InputStream file = Files.newInputStream(cacert)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
        store.setCertificateEntry("trusted-" + number++, each);
      }
      if (number == 0) {
        throw new ResolveException(
            "--cacert %s: found no certificate; expected PEM".formatted(cacert));
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (NoSuchFileException e) {
      throw new ResolveException(
          "--cacert %s: found nothing there; expected a file".formatted(cacert), e);
    } catch (GeneralSecurityException e) {
      throw new ResolveException(
          "--cacert %s: %s; expected certificates in PEM".formatted(cacert, e.getMessage()), e);
    }
  }
}
