package io.isotail.incremental.forecast;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/** Ids of forecasts: the same for the same statements, on any machine and in any order. */
final class Ids {
  private static final int BYTES = 8;

  private Ids() {}

  static String of(Collection<Forecast.Stale> stale) {
    List<String> all =
        stale.stream()
            .map(s -> s.statement() + "\0" + String.join("\0", s.template().statements()))
            .sorted()
            .toList();
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(String.join("\n", all).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
