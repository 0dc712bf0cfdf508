package io.isotail.monitor.forecast;

import io.isotail.incremental.forecast.Course.Done;
import io.isotail.incremental.forecast.Course.Turn;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.monitor.terminal.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A course as text: a column for each transaction, a line for each moment. */
final class CourseText {
  private static final int MOST_CHARS = 44;
  private static final int MOST_ROWS = 3;
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
                  .formatted(lane + 1, Printable.escaped(forecast.templates().get(lane).name()))));
    }
    lines.add(names);
    for (Turn turn : forecast.course().turns()) {
      List<String> cells = new ArrayList<>();
      for (int lane = 0; lane < lanes; lane++) {
        cells.add(lane == turn.part() ? cut(words(turn)) : "");
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
    String rows =
        done.stream().limit(MOST_ROWS).map(Done::row).distinct().collect(Collectors.joining(", "));
    int more = done.size() - MOST_ROWS;
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
    return Printable.escaped(
        "%s %s%s%s"
            .formatted(
                verb,
                rows,
                more > 0 ? " and %d more".formatted(more) : "",
                from.isEmpty() ? "" : " " + from));
  }

  private static String cut(String words) {
    return words.length() <= MOST_CHARS ? words : words.substring(0, MOST_CHARS - 1) + "…";
  }
}
