package io.isotail.monitor.config;

import io.isotail.ingest.proxy.KeyPair;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks a certificate and its key before anything listens with them. Whether they belong together
 * is checked for keys in PKCS #8; the older forms of RSA and EC keys are taken as they are.
 */
final class PemFiles {
  private static final Pattern BLOCK =
      Pattern.compile(
          "-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----\\s+([A-Za-z0-9+/=\\s]+)-----END \\1-----");
  private static final String PKCS8 = "PRIVATE KEY";
  private static final byte SEQUENCE = 0x30;

  /** As they are named in keys, and in signatures. */
  private static final List<String> ALGORITHMS = List.of("RSA", "EC");

  private final SettingReader settings;

  private PemFiles(SettingReader settings) {
    this.settings = settings;
  }

  /** The two files that two settings name; null if none is named, or if they cannot be used. */
  static MonitorConfig.@Nullable Tls read(
      SettingReader settings, Setting certificateName, Setting keyName) {
    String certificate = settings.text(certificateName);
    String key = settings.text(keyName);
    if (certificate.isEmpty() && key.isEmpty()) {
      return null;
    }
    if (certificate.isEmpty() || key.isEmpty()) {
      boolean hasKey = certificate.isEmpty();
      settings.wrong(
          hasKey ? keyName : certificateName,
          hasKey ? key : certificate,
          "set alone; expected %s too".formatted(hasKey ? certificateName : keyName));
    }
    boolean usable = new PemFiles(settings).check(certificateName, certificate, keyName, key);
    return usable ? new MonitorConfig.Tls(Path.of(certificate), Path.of(key)) : null;
  }

  /** Reports what is wrong with the files that are named; whether both can be used. */
  private boolean check(Setting certificateName, String certificate, Setting keyName, String key) {
    X509Certificate first =
        certificate.isEmpty() ? null : certificate(certificateName, certificate);
    String keyText = key.isEmpty() ? null : read(keyName, key, "a private key in PEM");
    if (keyText == null) {
      return false;
    }
    Matcher block = BLOCK.matcher(keyText);
    byte[] bytes = block.find() ? decode(block.group(2)) : new byte[0];
    if (bytes.length == 0 || bytes[0] != SEQUENCE) {
      settings.wrong(
          keyName,
          key,
          "%s; expected a private key of RSA or EC in PEM, without a password"
              .formatted(
                  keyText.contains("ENCRYPTED") ? "an encrypted key" : "no private key in it"));
      return false;
    }
    if (!block.group(1).equals(PKCS8)) {
      return first != null;
    }
    PrivateKey parsed = parse(bytes);
    if (parsed == null) {
      settings.wrong(keyName, key, "another key; expected a private key of RSA or EC in PEM");
    } else if (first != null && !KeyPair.belong(first, parsed)) {
      settings.wrong(
          keyName,
          key,
          "not the key of %s=%s; expected that of the first certificate in it"
              .formatted(certificateName, certificate));
      return false;
    }
    return first != null && parsed != null;
  }

  private @Nullable X509Certificate certificate(Setting name, String file) {
    String text = read(name, file, "certificates in PEM");
    if (text == null) {
      return null;
    }
    try {
      if (text.contains("-----BEGIN CERTIFICATE-----")) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        for (var found :
            CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(bytes))) {
          if (found instanceof X509Certificate first) {
            return first;
          }
        }
      }
    } catch (CertificateException e) {
      // Reported below, as a file of something else is.
    }
    settings.wrong(
        name, file, "no certificate in it; expected certificates in PEM, the server's own first");
    return null;
  }

  private @Nullable String read(Setting name, String file, String expected) {
    try {
      return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (IOException | InvalidPathException e) {
      settings.wrong(name, file, "cannot be read (%s); expected %s".formatted(e, expected));
      return null;
    }
  }

  private static byte[] decode(String base64) {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private static @Nullable PrivateKey parse(byte[] pkcs8) {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException e) {
        // The next one may be the key's.
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this Java has no " + algorithm, e);
      }
    }
    return null;
  }
}
