package io.isotail.monitor.databases;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.incremental.level.IsolationLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The cells as a table of Markdown, each verdict beside what the reproductions showed. */
final class CellTable {
  private final StringBuilder text = new StringBuilder();
  private int contradicted;
  private int unconfirmed;
  private int rows;
  private int missing;
  private final Set<String> systems = new TreeSet<>();

  private CellTable() {}

  /** The table of the cells that have run. */
  static String of(List<Cell> cells, Path work) throws IOException {
    CellTable table = new CellTable();
    table.text.append(
        """
        | cell | database | held to | verdict | observed | found | committed | pairs | coverage | scripts that show an anomaly | agrees |
        |---|---|---|---|---|---|---|---|---|---|---|
        """);
    for (Cell cell : cells) {
      JsonNode figures = DatabasesCampaign.figures(work, cell);
      if (figures == null) {
        table.missing++;
      } else {
        table.row(cell, figures);
      }
    }
    table.text.append(
        """

        %d cells, %d databases; contradicted by a script: %d; failures that no script shows: %d; cells without a verdict: %d

        *Agrees* says whether the scripts show an anomaly up to the level that the database is held to where the verdict is fail, and none
        where it is pass. *Observed* is the strongest level that neither the traffic nor a script broke.
        """
            .formatted(
                table.rows,
                table.systems.size(),
                table.contradicted,
                table.unconfirmed,
                table.missing));
    return table.text.toString();
  }

  private void row(Cell cell, JsonNode figures) {
    rows++;
    systems.add(cell.system());
    List<String> columns =
        List.of(
            cell.name(),
            figures.path("database").asText("none") + driver(figures),
            figures.path("promise").asText(),
            figures.path("verdict").asText("none, exit " + figures.path("exit").asInt()),
            observed(figures),
            found(figures),
            "%,d".formatted(figures.path("transactions").path("committed").asLong()),
            "%,d".formatted(figures.path("workload").path("conflicts").asLong()),
            "%.2f %%".formatted(100 * figures.path("coverage").asDouble()),
            String.join(", ", shown(figures)),
            agreement(figures));
    text.append("| ").append(String.join(" | ", columns)).append(" |\n");
  }

  private static String driver(JsonNode figures) {
    String driver = figures.path("driver").asText();
    return driver.equals("postgresql") ? "" : ", " + driver;
  }

  /** Whether scripts and verdict say the same; counts where they do not. */
  private String agreement(JsonNode figures) {
    String verdict = figures.path("verdict").asText();
    if (!verdict.equals("pass") && !verdict.equals("fail")) {
      return "";
    }
    // Of several levels the scripts have run at the first.
    String first = figures.path("promise").asText().split(",", 2)[0];
    IsolationLevel promise = IsolationLevel.ofLabel(first);
    List<String> against =
        shown(figures).stream()
            .filter(script -> promise.atLeast(forbidden(figures, script)))
            .toList();
    if (verdict.equals("pass")) {
      if (against.isEmpty()) {
        return "yes";
      }
      contradicted++;
      return "NO";
    }
    for (Iterator<String> levels = figures.path("anomalies").fieldNames(); levels.hasNext(); ) {
      IsolationLevel level = IsolationLevel.ofLabel(levels.next());
      if (against.stream().noneMatch(script -> level.atLeast(forbidden(figures, script)))) {
        unconfirmed++;
        return "not shown: " + level.label();
      }
    }
    return "yes";
  }

  private static IsolationLevel forbidden(JsonNode figures, String script) {
    return IsolationLevel.ofLabel(
        figures.path("reproductions").path(script).path("forbidden").asText());
  }

  private static List<String> shown(JsonNode figures) {
    List<String> shown = new ArrayList<>();
    for (Map.Entry<String, JsonNode> script : figures.path("reproductions").properties()) {
      if (script.getValue().path("shown").asBoolean()) {
        shown.add(script.getKey());
      }
    }
    return shown;
  }

  /** The strongest level that neither the traffic nor a script broke. */
  private static String observed(JsonNode figures) {
    IsolationLevel strongest = null;
    for (IsolationLevel level : IsolationLevel.values()) {
      boolean passed = figures.path("verdicts").path(level.label()).asText().equals("pass");
      if (passed
          && shown(figures).stream()
              .noneMatch(script -> level.atLeast(forbidden(figures, script)))) {
        strongest = level;
      }
    }
    return label(strongest);
  }

  private static String label(@Nullable IsolationLevel level) {
    return level == null ? "none" : level.label();
  }

  private static String found(JsonNode figures) {
    String found =
        figures.path("anomalies").properties().stream()
            .flatMap(level -> level.getValue().properties().stream())
            .map(kind -> "%,d %s".formatted(kind.getValue().asLong(), kind.getKey()))
            .collect(Collectors.joining(", "));
    return found.isEmpty() ? "nothing" : found.toLowerCase(Locale.ROOT);
  }
}
