package io.isotail.monitor.offline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.cause.CausePart;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.verdict.LevelReport;
import io.isotail.monitor.render.AnomalyJson;
import io.isotail.monitor.render.CauseJson;
import io.isotail.monitor.render.CauseText;
import io.isotail.monitor.terminal.Paint;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code check} prints about a file. */
final class CheckOutput {
  /** Edges of a cycle that are printed for people. */
  private static final int MOST_EDGES = 32;

  private static final JsonFactory JSON = new JsonFactory();

  /** More anomalies of a file are counted, not described, for people. */
  private static final int MAX_DESCRIBED = 20;

  private CheckOutput() {}

  /** The contract of {@code check --json}: fields and their order. */
  static String json(FileCheck.Result result) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("path", result.path().toString());
      json.writeNumberField("sessions", result.report().sessions());
      json.writeNumberField("transactions", result.report().transactions());
      json.writeNumberField("operations", result.report().operations());
      json.writeObjectFieldStart("verdicts");
      for (Map.Entry<IsolationLevel, Verdict> entry : result.verdicts().entrySet()) {
        json.writeStringField(entry.getKey().label(), entry.getValue().label());
      }
      json.writeEndObject();
      json.writeArrayFieldStart("anomalies");
      for (Anomaly anomaly : result.anomalies()) {
        json.writeRawValue(AnomalyJson.full(anomaly, result.occurrencesOf(anomaly)).toString());
      }
      json.writeEndArray();
      json.writeObjectFieldStart("undecided");
      for (UndecidedReason reason : UndecidedReason.values()) {
        long count = result.report().undecided().getOrDefault(reason, 0L);
        if (count > 0) {
          json.writeNumberField(reason.label(), count);
        }
      }
      json.writeEndObject();
      json.writeNumberField("coverage", result.report().coverage());
      json.writeObjectFieldStart("seconds");
      json.writeNumberField("parse", milliseconds(result.parseSeconds()));
      json.writeNumberField("check", milliseconds(result.checkSeconds()));
      json.writeEndObject();
      json.writeObjectFieldStart("levels");
      for (IsolationLevel level : result.verdicts().keySet()) {
        writeLevel(json, level, result.report().levels().get(level));
      }
      json.writeEndObject();
      json.writeNumberField("edgesDropped", result.report().edgesDropped());
      json.writeObjectFieldStart("reads");
      json.writeNumberField("all", result.report().reads());
      json.writeNumberField("decided", result.report().readsDecided());
      json.writeNumberField("foreign", result.report().readsForeign());
      json.writeEndObject();
      json.writeArrayFieldStart("causes");
      for (CauseReport cause : result.causes()) {
        json.writeRawValue(CauseJson.of(cause).toString());
      }
      json.writeEndArray();
      json.writeBooleanField("estimatedOrder", result.estimatedOrder());
      json.writeEndObject();
    }
    return text.toString();
  }

  /** How many were promised a level, and why it is in doubt. */
  private static void writeLevel(
      JsonGenerator json, IsolationLevel level, @Nullable LevelReport report) throws IOException {
    if (report == null) {
      return;
    }
    json.writeObjectFieldStart(level.label());
    json.writeNumberField("promised", report.promised());
    json.writeNumberField("of", report.transactions());
    json.writeObjectFieldStart("doubts");
    for (UndecidedReason reason : UndecidedReason.values()) {
      long count = report.doubts().getOrDefault(reason, 0L);
      if (count > 0) {
        json.writeNumberField(reason.label(), count);
      }
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  /** A file that could not be read. */
  static String jsonError(Path path, String message) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("path", path.toString());
      json.writeStringField("error", message);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** For people. */
  static String text(FileCheck.Result result, Paint paint) {
    var report = result.report();
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: %,d transactions, %,d operations, %,d sessions; read in %.2f s, checked in %.2f s%n"
            .formatted(
                result.path(),
                report.transactions(),
                report.operations(),
                report.sessions(),
                result.parseSeconds(),
                result.checkSeconds()));
    if (result.estimatedOrder()) {
      text.append(
          "  without times, and not in the order of commits: checked in an estimated one\n");
    }
    if (report.transactions() == 0) {
      text.append("  nothing to check: no transaction committed\n");
    }
    result
        .verdicts()
        .forEach(
            (level, verdict) ->
                text.append(
                    "  %-20s %s%s%n"
                        .formatted(
                            level, painted(verdict, paint), detail(report.levels().get(level)))));
    if (result.undecided()) {
      text.append(
          report.reads() == 0
              ? "  nothing was read%n".formatted()
              : "  %.2f %% of the reads decided%n".formatted(100 * report.coverage()));
      if (report.readsForeign() > 0) {
        text.append(
            "  %,d of %,d reads from writers that are not in the file%n"
                .formatted(report.readsForeign(), report.reads()));
      }
    }
    result.causes().stream()
        .limit(MAX_DESCRIBED)
        .forEach(cause -> describe(text, cause, result, paint));
    if (result.causes().size() > MAX_DESCRIBED) {
      text.append(
          "%n  … and %,d more causes; --json has them all%n"
              .formatted(result.causes().size() - MAX_DESCRIBED));
    }
    return text.toString();
  }

  private static String painted(Verdict verdict, Paint paint) {
    String word = verdict.toString();
    return switch (verdict) {
      case PASS -> paint.good(word);
      case FAIL -> paint.bad(word);
      case UNDECIDED -> paint.doubtful(word);
      case NOT_CHECKED -> paint.faint(word);
    };
  }

  /**
   * What a verdict needs to be understood: how many were promised the level, or why it is in doubt.
   */
  private static String detail(@Nullable LevelReport report) {
    if (report == null || report.transactions() == 0) {
      return "";
    }
    if (report.verdict() == Verdict.NOT_CHECKED) {
      return " (%,d of %,d transactions were promised it)"
          .formatted(report.promised(), report.transactions());
    }
    return report.verdict() != Verdict.UNDECIDED
        ? ""
        : report.doubts().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(doubt -> "%s: %,d".formatted(doubt.getKey().label(), doubt.getValue()))
            .collect(Collectors.joining(", ", " (", ")"));
  }

  /** A cause with its simplest proof; the rest is counted. */
  private static void describe(
      StringBuilder text, CauseReport cause, FileCheck.Result result, Paint paint) {
    text.append("%n  %s: %s%n".formatted(cause.id(), paint.bold(CauseText.title(cause))));
    text.append(
        "    violations: %,d, in %,d transactions; proven: %,d%n"
            .formatted(cause.violations(), cause.occurrences(), cause.proven()));
    for (CausePart part : cause.parts()) {
      if (!part.fingerprint().isEmpty()) {
        text.append("    ").append(part.fingerprint()).append('\n');
      }
    }
    result.anomalies().stream()
        .filter(anomaly -> anomaly.id().equals(cause.simplest()))
        .forEach(anomaly -> describe(text, anomaly, result.occurrencesOf(anomaly), paint));
  }

  private static void describe(StringBuilder text, Anomaly anomaly, long occurrences, Paint paint) {
    text.append("  ").append(anomaly.kind());
    if (anomaly.adya() != null) {
      text.append(" (").append(anomaly.adya()).append(')');
    }
    text.append(" violates ").append(paint.bad(anomaly.level().label()));
    if (occurrences > 1) {
      text.append(String.format(Locale.ROOT, ", observed %,d times", occurrences));
    }
    text.append("\n    ").append(anomaly.explanation()).append('\n');
    List<CycleEdge> cycle = anomaly.cycle();
    for (CycleEdge edge : cycle.subList(0, Math.min(MOST_EDGES, cycle.size()))) {
      text.append("      ").append(edge.from()).append(" -> ").append(edge.to());
      text.append("  ").append(edge.kind().label());
      if (edge.key() != null) {
        text.append(' ').append(edge.key());
      }
      text.append("  (").append(edge.because()).append(")\n");
    }
    if (cycle.size() > MOST_EDGES) {
      text.append(
          String.format(
              Locale.ROOT, "      ... %,d more; --json has them all%n", cycle.size() - MOST_EDGES));
    }
    if (anomaly.evidence() != null) {
      text.append("      ").append(anomaly.evidence()).append('\n');
    }
  }

  private static BigDecimal milliseconds(double seconds) {
    return BigDecimal.valueOf(seconds).setScale(3, RoundingMode.HALF_UP);
  }
}
