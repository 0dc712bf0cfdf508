package io.isotail.monitor.forecast;

import io.isotail.incremental.forecast.Course.Done;
import io.isotail.incremental.forecast.Course.Turn;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.monitor.terminal.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A course as text: a column for each transaction, a line for each moment. */
final class CourseText {
  private static final int MOST_CHARS = 56;
  private static final int MOST_ROWS = 3;
  private static final int MOST_COLUMNS = 2;
  private static final String GAP = "   ";

  private CourseText() {}

  /** The text, with an end of line. */
  static String of(Forecast forecast) {
    int lanes = forecast.templates().size();
    List<List<String>> lines = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int lane = 0; lane < lanes; lane++) {
      names.add(
          cut(
              "T%d  %s"
                  .formatted(lane + 1, Printable.escaped(forecast.templates().get(lane).name())),
              MOST_CHARS));
    }
    lines.add(names);
    for (Turn turn : forecast.course().turns()) {
      List<String> cells = new ArrayList<>();
      for (int lane = 0; lane < lanes; lane++) {
        cells.add(lane == turn.part() ? words(turn) : "");
      }
      lines.add(cells);
    }
    return lines.stream().map(line -> joined(line, lines)).collect(Collectors.joining());
  }

  private static String joined(List<String> line, List<List<String>> all) {
    StringBuilder text = new StringBuilder();
    for (int lane = 0; lane < line.size(); lane++) {
      int at = lane;
      int width = all.stream().mapToInt(each -> each.get(at).length()).max().orElse(0);
      text.append(line.get(lane)).append(" ".repeat(width - line.get(lane).length())).append(GAP);
    }
    return text.toString().stripTrailing() + System.lineSeparator();
  }

  private static String words(Turn turn) {
    if (turn.step() == null) {
      return "commit";
    }
    List<Done> done = turn.done();
    Map<String, Set<String>> all = new LinkedHashMap<>();
    for (Done each : done) {
      Set<String> columns = all.computeIfAbsent(each.row(), row -> new TreeSet<>());
      if (!each.column().isEmpty()) {
        columns.add(each.column());
      }
    }
    String rows =
        all.entrySet().stream()
            .limit(MOST_ROWS)
            .map(row -> row.getKey() + columns(row.getValue()))
            .collect(Collectors.joining(", "));
    int more = all.size() - MOST_ROWS;
    String from =
        done.stream()
            .map(Done::from)
            .filter(writer -> writer != Done.NOT_READ && writer != turn.part())
            .distinct()
            .map(
                writer ->
                    writer == Done.BEFORE_ALL
                        ? "as before"
                        : "as T%d left it".formatted(writer + 1))
            .collect(Collectors.joining(", "));
    String verb = done.stream().map(Done::verb).distinct().collect(Collectors.joining("/"));
    String end = from.isEmpty() ? "" : " " + from;
    String what = "%s %s%s".formatted(verb, rows, more > 0 ? " and %d more".formatted(more) : "");
    return cut(Printable.escaped(what), MOST_CHARS - end.length()) + end;
  }

  private static String columns(Set<String> columns) {
    return columns.isEmpty()
        ? ""
        : columns.stream()
            .limit(MOST_COLUMNS)
            .collect(Collectors.joining(", ", " (", columns.size() > MOST_COLUMNS ? ", …)" : ")"));
  }

  private static String cut(String words, int most) {
    return words.length() <= most ? words : words.substring(0, most - 1) + "…";
  }
}
