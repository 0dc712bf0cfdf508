package io.isotail.ingest.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A certificate that signed itself, with its key, as PEM files. */
record TestCertificate(Path chain, Path key) {
  private static final String PASSWORD = "of-the-test";

  /**
   * Makes one with a new key.
   *
   * @param names what it is for, as {@code ip:127.0.0.1,dns:localhost}
   */
  static TestCertificate in(Path folder, String name, String names)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve(name + ".p12");
    Path told = folder.resolve(name + ".keytool.txt");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=" + names,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(told.toFile())
            .start();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      throw new IOException(Files.readString(told));
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Key key = keys.getKey(name, PASSWORD.toCharArray());
    Certificate certificate = keys.getCertificate(name);
    return new TestCertificate(
        pem(folder.resolve(name + ".crt"), "CERTIFICATE", certificate.getEncoded()),
        pem(folder.resolve(name + ".key"), "PRIVATE KEY", key.getEncoded()));
  }

  private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, body, kind));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  ProxyConfig.Certificate config() {
    return new ProxyConfig.Certificate(chain, key);
  }
}
