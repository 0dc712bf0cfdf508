package io.isotail.monitor.page;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** Many anomalies, as of a database that breaks its promise all the time. */
final class Flood {
  /** Kinds by level, the first ones the most frequent. */
  private static final AnomalyKind[] KINDS = {
    AnomalyKind.CAUSALITY_VIOLATION,
    AnomalyKind.SESSION_GUARANTEE_VIOLATION,
    AnomalyKind.FRACTURED_READ
  };

  private static final Map<AnomalyKind, IsolationLevel> LEVELS =
      Map.of(
          AnomalyKind.CAUSALITY_VIOLATION,
          IsolationLevel.CAUSAL,
          AnomalyKind.SESSION_GUARANTEE_VIOLATION,
          IsolationLevel.CAUSAL,
          AnomalyKind.FRACTURED_READ,
          IsolationLevel.READ_ATOMIC);

  private static final long SECONDS_PER_HOUR = 3_600;

  private Flood() {}

  /** Puts {@code size} of them on the page, {@code f0} first, the last one a moment ago. */
  static void fill(RunningPage page, int size) {
    Instant begin = Instant.now().minus(1, ChronoUnit.HOURS);
    for (int i = 0; i < size; i++) {
      double share = (double) i / size;
      // More and more of them, in waves.
      long second = Math.round(SECONDS_PER_HOUR * (share + 0.03 * Math.sin(share * 40)));
      AnomalyKind kind = KINDS[i % 10 == 0 ? 2 : i % 4 == 0 ? 1 : 0];
      page.found(
          SampleAnomalies.of("f" + i, "shop", LEVELS.get(kind), kind),
          begin.plusSeconds(Math.max(0, Math.min(SECONDS_PER_HOUR, second))));
    }
  }
}
