package io.isotail.monitor.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.render.CauseJson;
import io.isotail.monitor.render.IncidentJson;
import io.isotail.monitor.store.CauseStore;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.store.StoredIncident;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ListedIncidentTest {
  private static final Instant NOW = Instant.parse("2026-09-21T16:00:00Z");
  private final CauseStore causes = new CauseStore();
  private final List<ListedIncident> listed = new ArrayList<>();

  @Test
  void theOneThatDoesMostHarmIsFirstThenTheOneThatBreaksTheWeakerLevel() {
    add("c", 600, 1, 3_600, IsolationLevel.SNAPSHOT_ISOLATION);
    add("a", 700, 1, 3_600, IsolationLevel.SNAPSHOT_ISOLATION);
    add("weaker", 600, 1, 3_600, IsolationLevel.READ_COMMITTED);
    add("unknown", 600, 1, 3_600, null);
    add("rows", 600, 40, 3_600, IsolationLevel.SNAPSHOT_ISOLATION);
    add("often", 600_000, 1, 3_600, IsolationLevel.SNAPSHOT_ISOLATION);
    add("goes on", 1, 1, 5, IsolationLevel.SNAPSHOT_ISOLATION);
    ObjectNode over = document("over", 600_000, 1, 5);
    over.putObject("ended").put("reason", "it is").put("at", NOW.toString());
    list(over);

    assertThat(ids())
        .containsExactly("goes on", "often", "over", "rows", "weaker", "a", "c", "unknown");
    assertThat(listed.stream().filter(each -> each.incident().id().equals("rows")))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.harm()).as("10 a minute, 40 rows").isEqualTo(400);
              assertThat(each.json().path("severity").asText()).isEqualTo("snapshot-isolation");
            });
  }

  @Test
  void whatHasNoTimesStandsInTheListToo() {
    ObjectNode timeless = document("timeless", 8, 1, 60);
    timeless.putNull("firstSeen").putNull("lastSeen");
    list(timeless);
    assertThat(listed.get(0).harm()).isEqualTo(8);
    assertThat(listed.get(0).goesOn()).isFalse();
  }

  /** An incident of an hour that struck last so many seconds ago. */
  private void add(String id, long violations, int rows, long agoSeconds, IsolationLevel violated) {
    if (violated != null) {
      ObjectNode cause =
          CauseJson.of(SampleAnomalies.cause("shop", "w1"))
              .put("cause", "cause of " + id)
              .put("level", violated.label());
      causes.put(StoredCause.of(cause.toString().getBytes(StandardCharsets.UTF_8)));
    }
    list(document(id, violations, rows, agoSeconds));
  }

  private static ObjectNode document(String id, long violations, int rows, long agoSeconds) {
    CauseReport cause = SampleAnomalies.cause("shop", "w1");
    Instant last = NOW.minusSeconds(agoSeconds);
    ObjectNode document =
        IncidentJson.of(SampleAnomalies.incident(cause), cause)
            .put("incident", id)
            .put("violations", violations)
            .put("firstSeen", last.minusSeconds(3_600).toString())
            .put("lastSeen", last.toString());
    document.withObject("/radius").put("rows", rows);
    document.putArray("causes").add("cause of " + id);
    return document;
  }

  private void list(ObjectNode document) {
    StoredIncident incident =
        StoredIncident.of(document.toString().getBytes(StandardCharsets.UTF_8));
    listed.add(ListedIncident.of(incident, causes, NOW.toEpochMilli()));
  }

  private List<String> ids() {
    return listed.stream()
        .sorted(ListedIncident.WORST_FIRST)
        .map(each -> each.incident().id())
        .toList();
  }
}
