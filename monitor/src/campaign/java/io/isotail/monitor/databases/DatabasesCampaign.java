package io.isotail.monitor.databases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Holds each database to what it documents, cell by cell, and then runs every reproduction at each
 * level that a cell ran at. A cell whose figures are there already is not run again.
 */
class DatabasesCampaign {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TRIES_BETWEEN_NODES = 5;

  private final Path root = Path.of(System.getProperty("isotail.databases.root"));
  private final Path work = root.resolve("target/databases");
  private final int seconds = Integer.getInteger("isotail.databases.seconds", 60);
  private final long seed = Long.getLong("isotail.databases.seed", 1);
  private final String pattern = System.getProperty("isotail.databases.cell", "");
  private final Pattern asked = Pattern.compile(pattern.isEmpty() ? ".*" : pattern);

  @Test
  void run() throws Exception {
    Files.createDirectories(work);
    List<Cell> cells =
        Cell.all().stream().filter(cell -> asked.matcher(cell.name()).matches()).toList();
    if (cells.isEmpty()) {
      throw new IllegalArgumentException(
          "no cell's name is matched by %s; expected one of %s"
              .formatted(asked, Cell.all().stream().map(Cell::name).toList()));
    }
    Map<String, List<Cell>> bySystem = new LinkedHashMap<>();
    for (Cell cell : cells) {
      bySystem.computeIfAbsent(cell.system(), system -> new ArrayList<>()).add(cell);
    }
    int done = 0;
    for (Map.Entry<String, List<Cell>> entry : bySystem.entrySet()) {
      List<Cell> left = entry.getValue().stream().filter(cell -> !isDone(cell)).toList();
      if (!left.isEmpty()) {
        say("starting " + entry.getKey());
        runAll(DatabaseSystem.named(entry.getKey()), left, done, cells.size());
      }
      done += entry.getValue().size();
    }
    Files.writeString(work.resolve("table.md"), CellTable.of(cells, work));
  }

  /** Whether it has run for as long and with the same seed; one that was asked for runs anew. */
  private boolean isDone(Cell cell) {
    try {
      JsonNode figures = pattern.isEmpty() ? figures(work, cell) : null;
      return figures != null
          && figures
              .path("arguments")
              .asText()
              .startsWith(String.join(" ", cell.arguments(seconds, seed)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(Cell cell) {
    return work.resolve(cell.name() + ".json");
  }

  private void runAll(DatabaseSystem system, List<Cell> cells, int done, int of) {
    try (DatabaseServer server = system.start().with(root.resolve("monitor/target/servers"))) {
      Map<String, ObjectNode> reproductions = new LinkedHashMap<>();
      int number = done;
      for (Cell cell : cells) {
        number++;
        CellRun run = new CellRun(root.resolve("deploy/isotail"), work, seconds, seed);
        ObjectNode json = (ObjectNode) run.run(cell, system, server);
        ObjectNode shown = reproductions.get(cell.strongest());
        if (shown == null) {
          shown = reproductions(system, server, cell.strongest());
          reproductions.put(cell.strongest(), shown);
        }
        json.set("reproductions", shown);
        if (json.has("verdict")) {
          Files.writeString(file(cell), JSON.writeValueAsString(json));
        }
        say(
            "%d of %d, %s: %s, %s"
                .formatted(
                    number,
                    of,
                    cell.name(),
                    json.path("verdict").asText("no verdict"),
                    json.path("anomalies")));
      }
    } catch (Exception e) {
      // The others are worth having.
      say(system.name() + ": " + e);
    }
  }

  /** What each script showed, by its name: {@code shown}, or what kept the anomaly away. */
  private ObjectNode reproductions(DatabaseSystem system, DatabaseServer server, String isolation)
      throws Exception {
    ObjectNode shown = JSON.createObjectNode();
    for (Reproduction script : Reproduction.all(root.resolve("deploy/reproductions"))) {
      ObjectNode one = shown.putObject(script.name());
      one.put("forbidden", script.forbidden().label());
      try {
        ReproductionRun.Outcome outcome = outcome(script, system, server, isolation);
        one.put("shown", outcome.shown());
        one.put("why", outcome.why());
      } catch (SQLException | IllegalStateException e) {
        one.put("why", e.toString());
      }
    }
    server.release();
    return shown;
  }

  /** Between nodes it depends on how fast one hears of the other: a script is tried again there. */
  private static ReproductionRun.Outcome outcome(
      Reproduction script, DatabaseSystem system, DatabaseServer server, String isolation)
      throws Exception {
    SessionsAt sessions = new SessionsAt(system, server, isolation);
    ReproductionRun.Outcome outcome = ReproductionRun.run(script, sessions);
    for (int i = 1; i < TRIES_BETWEEN_NODES && server.urls().size() > 1 && !outcome.shown(); i++) {
      outcome = ReproductionRun.run(script, sessions);
    }
    return outcome;
  }

  private static void say(String what) {
    System.out.println("databases: " + what);
  }

  /** The figures of a cell that has run; null if it has not. */
  static JsonNode figures(Path work, Cell cell) throws IOException {
    Path file = work.resolve(cell.name() + ".json");
    return Files.isRegularFile(file) ? JSON.readTree(file.toFile()) : null;
  }
}
