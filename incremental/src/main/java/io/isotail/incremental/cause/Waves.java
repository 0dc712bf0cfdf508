package io.isotail.incremental.cause;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.verdict.Moment;

/**
 * How often an incident has become worse. A new wave begins with a culprit that joins later than
 * {@link #SETTLED_MS} after the wave before began; with {@link #TIMES} as many violations in an
 * interval of {@link #INTERVAL_MS} as in any whole one before; and with a violation after the end.
 * Time is that of the log; a file without times has one wave.
 */
final class Waves {
  /** How long an interval is, in ms. */
  static final long INTERVAL_MS = 600_000;

  /** What joins sooner belongs to the wave that has begun. */
  static final long SETTLED_MS = 300_000;

  private static final int TIMES = 10;
  private IncidentReport.Wave wave;
  private long intervalBeginMs;
  private long inInterval;

  /** Violations of the interval with the most, of those that are over; 0 while there is none. */
  private long most;

  Waves(Moment first) {
    this.wave = new IncidentReport.Wave(1, "", first);
    this.intervalBeginMs = first.appendTimeMs();
  }

  IncidentReport.Wave wave() {
    return wave;
  }

  /** A culprit joins. */
  void joined(Culprit culprit, Moment now) {
    if (now.appendTimeMs() - wave.since().appendTimeMs() > SETTLED_MS) {
      begin("%s joined".formatted(culprit.name()), now);
    }
  }

  /** It strikes after it had ended. */
  void goesOn(Moment now) {
    begin("it strikes again after it had ended", now);
  }

  /** One more violation. */
  void count(Moment now) {
    if (now.appendTimeMs() - intervalBeginMs >= INTERVAL_MS) {
      most = Math.max(most, inInterval);
      inInterval = 0;
      intervalBeginMs = now.appendTimeMs();
    }
    inInterval++;
    if (most > 0 && inInterval >= TIMES * most) {
      begin("%d violations in 10 minutes, at most %d before".formatted(inInterval, most), now);
      most = inInterval;
    }
  }

  private void begin(String reason, Moment now) {
    wave = new IncidentReport.Wave(wave.number() + 1, reason, now);
  }

  void save(StateWriter out) {
    out.count(wave.number());
    out.text(wave.reason());
    wave.since().save(out);
    out.number(intervalBeginMs);
    out.number(inInterval);
    out.number(most);
  }

  void load(StateReader in) {
    wave = new IncidentReport.Wave(in.count(), in.requiredText(), Moment.load(in));
    intervalBeginMs = in.number();
    inInterval = in.number();
    most = in.number();
  }
}
