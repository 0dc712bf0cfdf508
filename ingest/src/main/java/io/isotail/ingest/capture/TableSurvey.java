package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.ObservedTables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which tables of a database a capture observes, and why it does not observe the others. */
public final class TableSurvey {
  private static final int WHY = 11;
  private static final int DEFERRABLE = 12;

  private final Server server;
  private final ObservedTables declared;
  private final List<Table> result = new ArrayList<>();

  private TableSurvey(Server server, ObservedTables declared) {
    this.server = server;
    this.declared = declared;
  }

  /**
   * A table.
   *
   * @param name with its schema, where it has one
   * @param key its key columns; empty if none is known
   * @param version the column that holds its version, {@link ObservedTable#XMIN} for the database's
   *     own, or a name in parentheses for the row's content; null if it is not observed
   * @param why why it is not observed, or null
   * @param keyMayBeNull whether rows may have no key, and are not observed then
   */
  public record Table(
      String name,
      List<String> key,
      @Nullable String version,
      @Nullable Unobserved why,
      boolean keyMayBeNull) {
    /** Copies the list. */
    public Table {
      key = List.copyOf(key);
    }
  }

  /** A row of the catalog. */
  private record Found(TableFacts facts, @Nullable Unobserved why, boolean deferrableKey) {
    static Found of(List<@Nullable String> row) {
      return new Found(
          TableFacts.of(row), Unobserved.ofLabel(row.get(WHY)), "yes".equals(row.get(DEFERRABLE)));
    }

    String name() {
      return facts.schema() + "." + facts.name();
    }

    List<String> key() {
      return facts.key().stream().map(ObservedTable.Column::name).toList();
    }
  }

  /**
   * Asks the database.
   *
   * @param declared the tables that the configuration names; none if it leaves that to the capture
   */
  public static List<Table> of(Server server, ObservedTables declared) throws Exception {
    TableSurvey survey = new TableSurvey(server, declared);
    String query = server.dialect().surveyQuery();
    List<Found> found =
        query == null ? List.of() : server.rows(query).stream().map(Found::of).toList();
    if (declared.all().isEmpty()) {
      survey.chooseAmong(found);
    } else {
      survey.declared(found);
    }
    return List.copyOf(survey.result);
  }

  /** As {@link Observation#tablesOf} does. */
  private void chooseAmong(List<Found> found) {
    Set<String> taken = new HashSet<>();
    for (Found one : found) {
      Unobserved why = one.why() == null ? reason(one, taken) : one.why();
      if (why == null) {
        taken.add(one.facts().name());
      }
      result.add(
          new Table(
              one.name(),
              one.key(),
              why == null ? one.facts().observed().version().name() : null,
              why,
              one.facts().keyMayBeNull()));
    }
  }

  private static @Nullable Unobserved reason(Found one, Set<String> taken) {
    Unobserved why = Unobserved.of(one.facts(), taken);
    if (why != Unobserved.NO_KEY) {
      return why;
    }
    if (one.facts().hasUnsupportedKey()) {
      return Unobserved.KEY_TYPE;
    }
    return one.deferrableKey() ? Unobserved.DEFERRABLE_KEY : Unobserved.NO_KEY;
  }

  private void declared(List<Found> found) throws Exception {
    Set<Found> others = new HashSet<>(found);
    for (ObservedTable table : declared.all()) {
      Found one = found.stream().filter(f -> f.facts().areOf(table)).findFirst().orElse(null);
      others.remove(one);
      Unobserved why = whyNot(table, one);
      result.add(
          new Table(
              table.identityName(),
              table.key().stream().map(ObservedTable.Column::name).toList(),
              why == null ? table.version().name() : null,
              why,
              false));
    }
    for (Found one : found) {
      if (others.contains(one)) {
        result.add(new Table(one.name(), one.key(), null, Unobserved.NOT_DECLARED, false));
      }
    }
  }

  private @Nullable Unobserved whyNot(ObservedTable table, @Nullable Found one) throws Exception {
    if (table.namesWriters() && one != null && one.why() != null) {
      return one.why();
    }
    String schema = table.schema() == null ? server.dialect().defaultSchema() : table.schema();
    List<String> columns =
        server.columns(schema, table.name()).stream().map(Catalog.Column::name).toList();
    if (columns.isEmpty()) {
      return Unobserved.NOT_FOUND;
    }
    boolean all = table.key().stream().allMatch(column -> columns.contains(column.name()));
    boolean version = table.namesWriters() || columns.contains(table.version().name());
    return all && version ? null : Unobserved.NO_SUCH_COLUMN;
  }
}
