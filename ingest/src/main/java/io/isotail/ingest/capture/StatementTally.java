package io.isotail.ingest.capture;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.ingest.emit.CountsSource;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts what an application's statements were to its capture: captured, or by text what they were
 * not captured for. Transaction control, definitions and statements that name no table are not
 * counted.
 *
 * <p>Counting is safe for use by many threads. Of more than {@link #MAX_KINDS} kinds of statements
 * the others are counted without their text.
 */
public final class StatementTally implements CountsSource {
  /** Reason of a statement on tables that are not observed. */
  static final String NOT_OBSERVED = "not-observed";

  static final int MAX_KINDS = 1_000;
  private static final int MAX_FINGERPRINT_CHARS = 1_000;
  private static final List<CaptureStats.Event> ROWS =
      List.of(
          CaptureStats.Event.ROW_WITHOUT_KEY_OR_VERSION,
          CaptureStats.Event.VALUE_WITHOUT_IDENTITY,
          CaptureStats.Event.LATE_ROW);

  private final String service;
  private final boolean everyTableMatters;
  private final TableNames tableNames = new TableNames();
  private final ThreadCounts captured = new ThreadCounts(1);
  private final Map<Key, Kind> kinds = new ConcurrentHashMap<>();
  private long mostCaptured;
  private long capturedTold;
  private long capturedTelling;
  private List<Portion> telling = List.of();

  /**
   * Nothing is counted yet.
   *
   * @param everyTableMatters whether a table that is not observed is so because it cannot be, and
   *     not because the operator has chosen others
   */
  StatementTally(String service, boolean everyTableMatters) {
    this.service = service;
    this.everyTableMatters = everyTableMatters;
  }

  private record Key(String fingerprint, NotCaptured.Kind kind, String reason) {}

  private record Portion(Kind kind, long statements, long reads) {}

  /** Statements that are alike. What was told of them belongs to the thread that tells. */
  static final class Kind {
    private final Key key;
    private final boolean reads;
    private final LongAdder statements = new LongAdder();
    private final LongAdder rows = new LongAdder();
    private long statementsTold;
    private long rowsTold;

    private Kind(Key key, boolean reads) {
      this.key = key;
      this.reads = reads;
    }

    private void sent() {
      statements.increment();
      row();
    }

    /** One more row, which the application has read. */
    void row() {
      if (reads) {
        rows.increment();
      }
    }

    private Portion untold() {
      return new Portion(this, statements.sum() - statementsTold, rows.sum() - rowsTold);
    }
  }

  /** The labels of all reasons that there are. */
  public static Set<String> reasons() {
    Set<String> labels = new TreeSet<>();
    for (Uninterpreted reason : Uninterpreted.values()) {
      labels.add(CaptureStats.name(reason));
    }
    ROWS.forEach(event -> labels.add(CaptureStats.name(event)));
    labels.add(NOT_OBSERVED);
    labels.add(CaptureStats.name(CaptureStats.Event.REWRITING_REFUSED));
    return labels;
  }

  /**
   * A statement is sent.
   *
   * @param analysis what it does in its session
   * @return how it is counted if not as captured, so that its rows are too; null else
   */
  @Nullable Kind sent(String fingerprint, Analysis analysis) {
    Kind kind;
    if (analysis instanceof Analysis.Unread unread) {
      kind = kind(fingerprint, NotCaptured.Kind.UNREAD, CaptureStats.name(unread.reason()), true);
    } else if (analysis instanceof Analysis.Opaque opaque
        && opaque.reason() != Uninterpreted.TOLD_BY_LOG) {
      kind = kind(fingerprint, NotCaptured.Kind.OPAQUE, CaptureStats.name(opaque.reason()), false);
    } else if (analysis instanceof Analysis.Harmless || analysis instanceof Analysis.Elsewhere) {
      TableNames.Use use = tableNames.in(fingerprint);
      if (use == TableNames.Use.NONE) {
        return null;
      }
      boolean reads = use == TableNames.Use.READ && everyTableMatters;
      kind = kind(fingerprint, NotCaptured.Kind.OUTSIDE, NOT_OBSERVED, reads);
    } else {
      if (!(analysis instanceof Analysis.Control)) {
        captured.add(0, 1);
      }
      return null;
    }
    kind.sent();
    return kind;
  }

  /**
   * A row was read of a statement that was taken for captured, and could not be recorded.
   *
   * @param nothingElse whether nothing of the statement was recorded so far
   * @param before how earlier rows of the statement were counted, null if they were recorded
   * @return how this one is counted
   */
  Kind rowMissed(
      String fingerprint, CaptureStats.Event why, boolean nothingElse, @Nullable Kind before) {
    if (before != null) {
      before.row();
      return before;
    }
    if (nothingElse) {
      captured.add(0, -1);
    }
    Kind kind =
        kind(
            fingerprint,
            nothingElse ? NotCaptured.Kind.UNREAD : NotCaptured.Kind.PARTLY,
            CaptureStats.name(why),
            true);
    kind.sent();
    return kind;
  }

  /** The server has refused a statement as it was rewritten. */
  void refused(String fingerprint) {
    String reason = CaptureStats.name(CaptureStats.Event.REWRITING_REFUSED);
    kind(fingerprint, NotCaptured.Kind.REFUSED, reason, false).sent();
  }

  private Kind kind(String fingerprint, NotCaptured.Kind of, String reason, boolean reads) {
    Kind known = kinds.get(new Key(fingerprint, of, reason));
    if (known != null) {
      return known;
    }
    String text = kinds.size() < MAX_KINDS ? fingerprint : "";
    return kinds.computeIfAbsent(new Key(text, of, reason), key -> new Kind(key, reads));
  }

  /** What all statements were. Safe for any thread. */
  synchronized StatementTotals totals() {
    // A statement may turn out not to be captured after all: the next ones are counted less.
    mostCaptured = Math.max(mostCaptured, captured.sum(0));
    Map<NotCaptured.Kind, Long> ofKind = new EnumMap<>(NotCaptured.Kind.class);
    Map<String, Long> ofReason = new HashMap<>();
    for (Kind kind : kinds.values()) {
      long statements = kind.statements.sum();
      ofKind.merge(kind.key.kind(), statements, Long::sum);
      ofReason.merge(kind.key.reason(), statements, Long::sum);
    }
    return new StatementTotals(mostCaptured, ofKind, ofReason);
  }

  @Override
  public @Nullable CaptureCounts untold(int mostKinds) {
    // Told as captured, a statement may turn out not to be: the next ones are counted less.
    capturedTelling = Math.max(capturedTold, captured.sum(0));
    List<Portion> portions = new ArrayList<>();
    for (Kind kind : kinds.values()) {
      Portion portion = kind.untold();
      if (portion.statements() > 0 || portion.reads() > 0) {
        portions.add(portion);
      }
    }
    portions.sort(
        Comparator.comparingLong((Portion p) -> -Math.max(p.statements(), p.reads()))
            .thenComparing(p -> p.kind().key.fingerprint()));
    telling = List.copyOf(portions.subList(0, Math.min(mostKinds, portions.size())));
    if (capturedTelling == capturedTold && telling.isEmpty()) {
      return null;
    }
    return new CaptureCounts(
        service,
        capturedTelling - capturedTold,
        telling.stream().map(StatementTally::counts).toList());
  }

  private static NotCaptured counts(Portion portion) {
    Key key = portion.kind().key;
    String text = key.fingerprint();
    return new NotCaptured(
        text.length() <= MAX_FINGERPRINT_CHARS
            ? text
            : text.substring(0, MAX_FINGERPRINT_CHARS - 1) + "…",
        key.kind(),
        key.reason(),
        portion.statements(),
        portion.reads());
  }

  @Override
  public void told() {
    capturedTold = capturedTelling;
    for (Portion portion : telling) {
      portion.kind().statementsTold += portion.statements();
      portion.kind().rowsTold += portion.reads();
    }
    telling = List.of();
  }
}
