package io.isotail.monitor.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.ingest.capture.TableSurvey;
import io.isotail.ingest.capture.Unobserved;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.monitor.doctor.Diagnosis;
import io.isotail.monitor.terminal.Paint;
import io.isotail.monitor.terminal.Printable;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What {@code doctor} prints: tables for people, or one JSON object. */
final class DoctorOutput {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Tables of one reason that are named; more are counted. */
  private static final int MAX_NAMED = 20;

  private DoctorOutput() {}

  static void print(Diagnosis diagnosis, boolean json, Paint paint, PrintWriter out) {
    if (json) {
      json(diagnosis, out);
    } else {
      text(diagnosis, paint, out);
    }
  }

  private static void json(Diagnosis diagnosis, PrintWriter out) {
    ObjectNode node = JSON.createObjectNode();
    node.put("well", diagnosis.problems().isEmpty());
    ArrayNode facts = node.putArray("facts");
    for (Diagnosis.Fact fact : diagnosis.facts()) {
      facts.addObject().put("subject", fact.subject()).put("words", fact.words());
    }
    if (diagnosis.tables() != null) {
      tables(diagnosis.tables(), node.putArray("tables"));
    }
    ArrayNode problems = node.putArray("problems");
    for (Diagnosis.Problem problem : diagnosis.problems()) {
      problems
          .addObject()
          .put("subject", problem.subject())
          .put("words", problem.words())
          .put("advice", problem.advice());
    }
    try {
      out.println(JSON.writeValueAsString(node));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void tables(List<TableSurvey.Table> found, ArrayNode tables) {
    for (TableSurvey.Table table : found) {
      Unobserved why = table.why();
      ObjectNode one = tables.addObject().put("name", table.name());
      table.key().forEach(one.putArray("key")::add);
      one.put("observed", why == null)
          .put("version", table.version())
          .put("why", why == null ? null : why.label());
    }
  }

  private static void text(Diagnosis diagnosis, Paint paint, PrintWriter out) {
    for (Diagnosis.Fact fact : diagnosis.facts()) {
      out.printf(
          "%s  %s%n",
          paint.faint("%-10s".formatted(fact.subject())), Printable.escaped(fact.words()));
    }
    if (diagnosis.tables() != null) {
      tables(diagnosis.tables(), paint, out);
    }
    if (diagnosis.problems().isEmpty()) {
      out.printf("%n%s%n", paint.good("all is well"));
      return;
    }
    out.printf(
        "%n%s%n",
        paint.bold(paint.doubtful("worth mending: %,d".formatted(diagnosis.problems().size()))));
    for (Diagnosis.Problem problem : diagnosis.problems()) {
      out.printf(
          "  %s: %s%n    -> %s%n",
          Printable.escaped(problem.subject()),
          Printable.escaped(problem.words()),
          problem.advice());
    }
  }

  private static void tables(List<TableSurvey.Table> tables, Paint paint, PrintWriter out) {
    List<TableSurvey.Table> observed =
        tables.stream().filter(table -> table.why() == null).toList();
    out.printf("%n%s%n", paint.bold("observed: %,d".formatted(observed.size())));
    int width = observed.stream().mapToInt(t -> t.name().length()).max().orElse(0);
    for (TableSurvey.Table table : observed) {
      out.printf(
          "  %-" + Math.max(1, width) + "s  key %s, version %s%n",
          Printable.escaped(table.name()),
          Printable.escaped(String.join(", ", table.key())),
          ObservedTable.XMIN.equals(table.version())
              ? "xmin, which PostgreSQL keeps"
              : Printable.escaped(String.valueOf(table.version())));
    }
    notObserved(tables, paint, out);
  }

  private static void notObserved(List<TableSurvey.Table> tables, Paint paint, PrintWriter out) {
    Map<Unobserved, List<String>> byReason = new TreeMap<>();
    for (TableSurvey.Table table : tables) {
      Unobserved why = table.why();
      if (why != null) {
        byReason.merge(
            why,
            List.of(table.name()),
            (all, one) -> java.util.stream.Stream.concat(all.stream(), one.stream()).toList());
      }
    }
    if (byReason.isEmpty()) {
      return;
    }
    int number = byReason.values().stream().mapToInt(List::size).sum();
    out.printf("%n%s%n", paint.bold("not observed: %,d".formatted(number)));
    byReason.forEach(
        (why, names) -> {
          out.printf("  %s%n", why.words());
          out.printf(
              "    %s%s%n",
              names.stream()
                  .limit(MAX_NAMED)
                  .map(Printable::escaped)
                  .collect(Collectors.joining(", ")),
              names.size() > MAX_NAMED ? " and %,d more".formatted(names.size() - MAX_NAMED) : "");
          if (!why.mendable()) {
            out.printf("    -> %s%n", why.advice());
          }
        });
  }
}
