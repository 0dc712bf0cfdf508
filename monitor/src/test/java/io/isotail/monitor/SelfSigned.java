package io.isotail.monitor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for 127.0.0.1 that signed itself, with its key, as PEM files. */
public record SelfSigned(KeyStore store, Path certificate, Path key) {
  private static final String PASSWORD = "of-the-test";
  private static final String ALIAS = "monitor";

  /** Makes one with a new key of this algorithm, RSA or EC. */
  public static SelfSigned in(Path folder, String algorithm)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path pkcs12 = folder.resolve(algorithm + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                algorithm,
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                pkcs12.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(algorithm + ".keytool.txt").toFile())
            .start();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      throw new IOException(Files.readString(folder.resolve(algorithm + ".keytool.txt")));
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(pkcs12)) {
      store.load(in, PASSWORD.toCharArray());
    }
    Key key = store.getKey(ALIAS, PASSWORD.toCharArray());
    return new SelfSigned(
        store,
        pem(
            folder.resolve(algorithm + ".crt"),
            "CERTIFICATE",
            store.getCertificate(ALIAS).getEncoded()),
        pem(folder.resolve(algorithm + ".key"), "PRIVATE KEY", key.getEncoded()));
  }

  /** What a client trusts that knows this certificate only. */
  public SSLContext trust() throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, body, kind));
  }
}
