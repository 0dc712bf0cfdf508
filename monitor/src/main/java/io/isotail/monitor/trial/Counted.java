package io.isotail.monitor.trial;

import java.util.Locale;

/** Numbers with the words that belong to them. */
final class Counted {
  private Counted() {}

  /** As in "1 anomaly" and "2,000 anomalies". */
  static String of(long number, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
  }
}
