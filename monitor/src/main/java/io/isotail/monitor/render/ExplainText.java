package io.isotail.monitor.render;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.monitor.terminal.Paint;
import io.isotail.monitor.terminal.Printable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A witness for people: what broke, the transactions one after the other, why each edge holds. */
public final class ExplainText {
  /** Times before 1973, counted in ns, are some file's own counting. */
  private static final long LEAST_EPOCH_NS = 100_000_000_000_000_000L;

  /** Where an explanation goes on to the next case. */
  private static final Pattern CASES =
      Pattern.compile(
          "(?<=\\.) (?=(?:Other orders fail|No order of commits is|If|Always:?|The proof has) )");

  private static final String INDENT = "  ";

  /** Transactions, and edges of a cycle, that are told one by one. */
  private static final int MOST_TOLD = 64;

  private final StringBuilder text = new StringBuilder();
  private final Paint paint;
  private final OperationText words;

  private ExplainText(Paint paint, OperationText words) {
    this.paint = paint;
    this.words = words;
  }

  /** The whole text, with an end of line. */
  public static String of(Witness witness, Paint paint) {
    return new ExplainText(paint, OperationText.of(witness.anomaly().capsule())).render(witness);
  }

  private String render(Witness witness) {
    Anomaly anomaly = witness.anomaly();
    line(paint.bold(CauseText.plain(anomaly.kind())));
    line(
        INDENT
            + anomaly.kind()
            + (anomaly.adya() == null ? "" : " (" + anomaly.adya() + ")")
            + " violates "
            + paint.bad(anomaly.level().label()));
    facts(witness);
    text.append('\n');
    String[] cases = CASES.split(anomaly.explanation());
    line(Printable.escaped(cases[0]));
    Arrays.stream(cases).skip(1).forEach(each -> line(INDENT + "- " + Printable.escaped(each)));
    if (anomaly.evidence() != null) {
      line("Evidence: " + Printable.escaped(anomaly.evidence()));
    }
    heading("Transactions, cut to the operations that matter");
    if (anomaly.capsule().isEmpty()) {
      line(
          anomaly.evidence() == null
              ? INDENT + "none: they were too large to be published"
              : INDENT + "none: it is shown by the whole log, not by a few of them");
    }
    first(anomaly.capsule(), this::transaction);
    if (!anomaly.cycle().isEmpty()) {
      heading("The cycle, and why each edge holds");
      first(anomaly.cycle(), this::edge);
    }
    if (!anomaly.capsule().isEmpty()) {
      text.append('\n');
      line(
          "At which levels this is possible: isotail explore --anomaly %s [FILE]"
              .formatted(Printable.escaped(anomaly.id())));
    }
    return text.toString();
  }

  /** Prints the first ones, and how many more there are. */
  private <T> void first(List<T> all, Consumer<T> print) {
    all.subList(0, Math.min(MOST_TOLD, all.size())).forEach(print);
    if (all.size() > MOST_TOLD) {
      text.append('\n');
      line(
          String.format(
              Locale.ROOT,
              INDENT + "... %,d more; the capsule has them all",
              all.size() - MOST_TOLD));
    }
  }

  private void facts(Witness witness) {
    Anomaly anomaly = witness.anomaly();
    fact("promised", promised(witness));
    fact("history", anomaly.history());
    fact("table", anomaly.table());
    fact("service", anomaly.service());
    fact("committed", time(anomaly.commitTimeNs()));
    fact("logged", witness.loggedAt());
    fact(
        "observed",
        witness.occurrences() > 1
            ? String.format(Locale.ROOT, "%,d times", witness.occurrences())
            : null);
    fact("id", anomaly.id());
    fact("cause", anomaly.cause());
  }

  private void fact(String name, @Nullable String words) {
    if (words != null && !words.isEmpty()) {
      line(INDENT + "%-10s ".formatted(name) + Printable.escaped(words));
    }
  }

  /** The level of the history, or else what PostgreSQL documents of those that they ran at. */
  private static @Nullable String promised(Witness witness) {
    if (witness.promise() != null) {
      return witness.promise().label() + ", to the whole history";
    }
    Map<String, IsolationLevel> promises = CheckerConfig.forLive("explain").promises();
    String levels =
        witness.anomaly().capsule().stream()
            .map(CapsuleTransaction::ranAt)
            .filter(ranAt -> ranAt != null)
            .collect(Collectors.toCollection(TreeSet::new))
            .stream()
            .map(ranAt -> documented(String.valueOf(ranAt), promises.get(ranAt)))
            .collect(Collectors.joining("; "));
    return levels.isEmpty() ? null : levels;
  }

  private static String documented(String ranAt, @Nullable IsolationLevel promise) {
    return promise == null || promise.label().equals(ranAt)
        ? ranAt
        : "%s, which is documented to give %s".formatted(ranAt, promise.label());
  }

  private void transaction(CapsuleTransaction t) {
    text.append('\n');
    List<String> states = new ArrayList<>();
    states.add(
        t.outcome() == Outcome.COMMITTED
            ? "committed"
            : paint.doubtful(t.outcome().name().toLowerCase(Locale.ROOT)));
    if (t.ranAt() != null) {
      states.add("at " + Printable.escaped(t.ranAt()));
    }
    String times = times(t);
    if (times != null) {
      states.add(times);
    }
    line(INDENT + paint.bold(Printable.escaped(t.name())) + "  " + String.join(", ", states));
    line(INDENT + INDENT + paint.faint(Printable.escaped(place(t))));
    operations(t.operations());
  }

  private static String place(CapsuleTransaction t) {
    SessionInfo session = t.session();
    List<String> place = new ArrayList<>();
    place.add("session " + session.name());
    add(place, "service ", session.service());
    add(place, "on ", session.instance());
    add(place, "database ", session.databaseHost());
    if (session.backendPid() != 0) {
      place.add("pid " + session.backendPid());
    }
    Origin origin = t.origin();
    if (origin != null) {
      add(place, "version ", origin.version());
      add(place, "in ", origin.endpoint());
      add(place, "trace ", origin.trace());
    }
    return String.join(", ", place);
  }

  private static void add(List<String> place, String what, @Nullable String name) {
    if (name != null && !name.isEmpty()) {
      place.add(what + name);
    }
  }

  private void operations(Operations operations) {
    List<String> told = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      told.add(Printable.escaped(operation(operations, i)));
    }
    int width = told.stream().mapToInt(String::length).filter(w -> w <= 60).max().orElse(0);
    for (int i = 0; i < operations.size(); i++) {
      String statement = operations.statement(i).fingerprint();
      String padded = ("%-" + Math.max(1, width) + "s").formatted(told.get(i));
      line(
          INDENT.repeat(2)
              + (statement.isEmpty()
                  ? told.get(i)
                  : padded + "  " + paint.faint(Printable.escaped(statement))));
    }
  }

  private String operation(Operations operations, int i) {
    OperationKind kind = operations.kind(i);
    String text =
        switch (kind) {
          case READ -> "read    " + words.assignment(operations, i);
          case WRITE -> "wrote   " + words.assignment(operations, i);
          case DELETE -> "deleted " + OperationText.key(operations, i);
          case LISTED -> "listed  " + words.assignment(operations, i);
          case OPAQUE -> "wrote   " + OperationText.unseen(operations, i);
        };
    return operations.undone(i) ? text + " (undone)" : text;
  }

  private void edge(CycleEdge edge) {
    line(
        "%s%s -> %s  %s%s"
            .formatted(
                INDENT,
                Printable.escaped(edge.from()),
                Printable.escaped(edge.to()),
                paint.bold(edge.kind().label()),
                edge.key() == null ? "" : " " + Printable.escaped(edge.key())));
    if (!edge.because().isEmpty()) {
      line(INDENT.repeat(2) + Printable.escaped(edge.because()));
    }
  }

  private static @Nullable String times(CapsuleTransaction t) {
    String begin = time(t.times().beginNs());
    String end = time(t.times().endNs());
    if (begin == null && end == null) {
      return null;
    }
    return begin == null ? "ended " + end : end == null ? "from " + begin : begin + " to " + end;
  }

  private static @Nullable String time(long ns) {
    if (ns == TransactionRecord.NO_TIME) {
      return null;
    }
    return ns >= LEAST_EPOCH_NS ? Instant.ofEpochSecond(0, ns).toString() : ns + " ns";
  }

  private void heading(String words) {
    text.append('\n');
    line(paint.bold(words));
  }

  private void line(String words) {
    text.append(words).append('\n');
  }
}
