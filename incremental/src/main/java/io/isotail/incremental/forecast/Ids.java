package io.isotail.incremental.forecast;

import io.isotail.incremental.anomaly.AnomalyKind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/** Ids of forecasts: the same for the same queries, on any machine and in any order. */
final class Ids {
  private static final int BYTES = 8;

  private Ids() {}

  /**
   * The id of a forecast.
   *
   * @param kind of its anomaly
   * @param relative whether all that is written is computed from the row as it is found
   * @param stale the queries that show what is changed
   */
  static String of(AnomalyKind kind, boolean relative, Collection<Forecast.Stale> stale) {
    List<String> all = new ArrayList<>(List.of(kind.label() + (relative ? " relative" : "")));
    stale.stream().map(Forecast.Stale::statement).distinct().sorted().forEach(all::add);
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
