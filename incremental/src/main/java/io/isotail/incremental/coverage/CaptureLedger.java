package io.isotail.incremental.coverage;

import io.isotail.incremental.coverage.CaptureReport.Cause;
import io.isotail.incremental.coverage.CaptureReport.Missed;
import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds up what the proxies of a history tell of their applications' statements.
 *
 * <p>Sums and causes are exact. Of single statements at most {@link #MAX_STATEMENTS} are kept; when
 * there are more, the half with the smallest counts is forgotten, and counts from 0 if it comes
 * back. More than {@link #MAX_CAUSES} causes are counted together as {@link #OTHER}.
 */
public final class CaptureLedger {
  /** Name of the services and reasons that are not told apart. */
  public static final String OTHER = "other";

  static final int MAX_STATEMENTS = 400;
  static final int MAX_CAUSES = 1_000;
  static final int MAX_WORST = 50;
  private static final int MAX_NAME_CHARS = 100;
  private static final int MAX_FINGERPRINT_CHARS = 1_000;

  private record CauseKey(String service, String reason) implements Comparable<CauseKey> {
    private static final Comparator<CauseKey> ORDER =
        Comparator.comparing(CauseKey::service).thenComparing(CauseKey::reason);

    @Override
    public int compareTo(CauseKey other) {
      return ORDER.compare(this, other);
    }
  }

  private record StatementKey(
      String service, String fingerprint, NotCaptured.Kind kind, String reason)
      implements Comparable<StatementKey> {
    private static final Comparator<StatementKey> ORDER =
        Comparator.comparing(StatementKey::service)
            .thenComparing(StatementKey::fingerprint)
            .thenComparing(StatementKey::kind)
            .thenComparing(StatementKey::reason);

    @Override
    public int compareTo(StatementKey other) {
      return ORDER.compare(this, other);
    }
  }

  private record Count(long statements, long reads, long lastMs) {
    Count plus(long moreStatements, long moreReads, long atMs) {
      return new Count(statements + moreStatements, reads + moreReads, Math.max(lastMs, atMs));
    }

    long weight() {
      return Math.max(statements, reads);
    }

    void save(StateWriter out) {
      out.number(statements);
      out.number(reads);
      out.number(lastMs);
    }

    static Count load(StateReader in) {
      return new Count(in.number(), in.number(), in.number());
    }
  }

  private static final Count ZERO = new Count(0, 0, 0);

  private final TreeMap<CauseKey, Count> causes = new TreeMap<>();
  private final TreeMap<StatementKey, Count> statements = new TreeMap<>();
  private long captured;
  private long notCaptured;
  private long readsNotCaptured;

  /**
   * Adds what a proxy has counted, if the heartbeat tells it.
   *
   * @param nowMs log append time, in ms
   */
  public void heard(Heartbeat heartbeat, long nowMs) {
    if (heartbeat.counts() != null) {
      add(heartbeat.counts(), nowMs);
    }
  }

  void add(CaptureCounts counts, long nowMs) {
    captured += Math.max(0, counts.captured());
    String service = shortened(counts.service(), MAX_NAME_CHARS);
    for (NotCaptured one : counts.notCaptured()) {
      add(service, one, nowMs);
    }
    if (statements.size() > MAX_STATEMENTS) {
      forgetSmallest();
    }
  }

  private void add(String service, NotCaptured one, long nowMs) {
    long times = Math.max(0, one.statements());
    long reads = Math.max(0, one.reads());
    String reason = shortened(one.reason(), MAX_NAME_CHARS);
    notCaptured += one.kind().isWhole() ? times : 0;
    readsNotCaptured += reads;
    CauseKey cause = new CauseKey(service, reason);
    if (!causes.containsKey(cause) && causes.size() >= MAX_CAUSES) {
      cause = new CauseKey(OTHER, OTHER);
    }
    causes.put(cause, causes.getOrDefault(cause, ZERO).plus(times, reads, nowMs));
    StatementKey statement =
        new StatementKey(
            service, shortened(one.fingerprint(), MAX_FINGERPRINT_CHARS), one.kind(), reason);
    statements.put(statement, statements.getOrDefault(statement, ZERO).plus(times, reads, nowMs));
  }

  private void forgetSmallest() {
    worstFirst().stream()
        .skip(MAX_STATEMENTS / 2)
        .map(Map.Entry::getKey)
        .forEach(statements::remove);
  }

  /** The statements, the greatest count first; equal ones by name. */
  private List<Map.Entry<StatementKey, Count>> worstFirst() {
    List<Map.Entry<StatementKey, Count>> sorted = new ArrayList<>(statements.size());
    statements.forEach((key, count) -> sorted.add(Map.entry(key, count)));
    sorted.sort(Comparator.comparingLong(e -> -e.getValue().weight()));
    return sorted;
  }

  private static String shortened(String text, int maxChars) {
    return text.length() <= maxChars ? text : text.substring(0, maxChars - 1) + "…";
  }

  /** What was told so far. */
  public CaptureReport report() {
    List<Cause> why = new ArrayList<>(causes.size());
    causes.forEach(
        (cause, count) ->
            why.add(new Cause(cause.service(), cause.reason(), count.statements(), count.reads())));
    List<Missed> worst = new ArrayList<>();
    worstFirst().stream()
        .limit(MAX_WORST)
        .forEach(
            e -> {
              StatementKey key = e.getKey();
              Count count = e.getValue();
              worst.add(
                  new Missed(
                      key.service(),
                      new NotCaptured(
                          key.fingerprint(),
                          key.kind(),
                          key.reason(),
                          count.statements(),
                          count.reads()),
                      count.lastMs()));
            });
    return new CaptureReport(captured, notCaptured, readsNotCaptured, why, worst);
  }

  /** Saves all counts. */
  public void save(StateWriter out) {
    out.number(captured);
    out.number(notCaptured);
    out.number(readsNotCaptured);
    out.count(causes.size());
    causes.forEach(
        (cause, count) -> {
          out.text(cause.service());
          out.text(cause.reason());
          count.save(out);
        });
    out.count(statements.size());
    statements.forEach(
        (statement, count) -> {
          out.text(statement.service());
          out.text(statement.fingerprint());
          out.constant(statement.kind());
          out.text(statement.reason());
          count.save(out);
        });
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    captured = in.number();
    notCaptured = in.number();
    readsNotCaptured = in.number();
    for (int n = in.count(); n > 0; n--) {
      CauseKey cause = new CauseKey(in.requiredText(), in.requiredText());
      causes.put(cause, Count.load(in));
    }
    for (int n = in.count(); n > 0; n--) {
      StatementKey statement =
          new StatementKey(
              in.requiredText(),
              in.requiredText(),
              in.constant(NotCaptured.Kind.class),
              in.requiredText());
      statements.put(statement, Count.load(in));
    }
  }
}
