package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.BuiltInFunctions;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.SqlSyntax;
import io.isotail.ingest.sql.StatementAnalyzer;
import io.isotail.ingest.sql.WriteTarget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The observed tables and what is made of them. Where no tables are declared, these are the tables
 * that the database has, and another observation takes the place of this one when they change.
 * Thread-safe.
 */
final class Observation {
  private static final int XMIN_BYTES = 4;

  /** Width of the widest type of a fixed width, a UUID. */
  private static final int WIDEST_BYTES = 16;

  private final ObservedTables tables;
  private final StatementAnalyzer analyzer;
  private final ColumnCatalog catalog;
  private final RowIdentities identities;
  private final Set<String> harmlessFunctions;
  private final BuiltInFunctions functions;
  private volatile IdentityHashMap<ObservedTable, TableFacts> facts = new IdentityHashMap<>();
  private volatile Map<String, List<TableFacts>> byName = Map.of();

  Observation(
      ObservedTables tables, BuiltInFunctions functions, CaptureConfig config, SqlSyntax syntax) {
    this.tables = tables;
    this.functions = functions;
    this.harmlessFunctions = config.harmlessFunctions();
    Identities keyed = Identities.of(config.secret(), config.history());
    this.analyzer =
        new StatementAnalyzer(tables, config.harmlessFunctions(), functions, syntax, keyed);
    this.catalog = new ColumnCatalog(tables.all());
    this.identities = new RowIdentities(catalog, keyed);
  }

  ObservedTables tables() {
    return tables;
  }

  /** The functions that come with the database, as far as it has been asked. */
  BuiltInFunctions functions() {
    return functions;
  }

  StatementAnalyzer analyzer() {
    return analyzer;
  }

  ColumnCatalog catalog() {
    return catalog;
  }

  RowIdentities identities() {
    return identities;
  }

  /** The tables to observe where none is declared: each name once, the first that it finds. */
  static ObservedTables tablesOf(List<TableFacts> found) {
    List<ObservedTable> tables = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (TableFacts table : found) {
      if (Unobserved.of(table, names) == null) {
        names.add(table.name());
        tables.add(table.observed());
      }
    }
    return new ObservedTables(tables);
  }

  /** The catalog has been asked. */
  void learnt(List<TableFacts> found) {
    // By identity: a table is asked for with each statement, and to hash one takes long.
    IdentityHashMap<ObservedTable, TableFacts> known = new IdentityHashMap<>();
    for (ObservedTable table : tables.all()) {
      for (TableFacts one : found) {
        if (one.areOf(table)) {
          known.put(table, one);
        }
      }
    }
    facts = known;
    byName = found.stream().collect(Collectors.groupingBy(TableFacts::name));
  }

  /** Nothing is known of the tables until the catalog is asked again. */
  void forget() {
    facts = new IdentityHashMap<>();
    byName = Map.of();
  }

  /**
   * How many bytes the columns of a row have at most that a write answers with; -1 if not known.
   */
  int answerBytes(Analysis.Written written) {
    int bytes = XMIN_BYTES;
    for (ObservedTable.Column column : written.table().key()) {
      ColumnType type = identities.type(written.table(), column);
      if (type != ColumnType.INTEGER && type != ColumnType.BOOLEAN && type != ColumnType.UUID) {
        return -1;
      }
      bytes += WIDEST_BYTES;
    }
    return bytes;
  }

  /**
   * Whether a write of the table may change more rows than its own, by a function that is not known
   * to be harmless, or by a cascade. It may if nothing is known of the table any more.
   */
  boolean mayChangeOthers(ObservedTable table, boolean deletes) {
    TableFacts of = facts.get(table);
    return of == null
        || (deletes && of.cascades())
        || !harmlessFunctions.containsAll(of.functions());
  }

  /**
   * Whether, by the catalog, a write of a table that is not observed changes no row of another one.
   * Partitions by their own name, views, and tables with rules are none of those that it tells.
   */
  boolean keepsToItself(Analysis.Elsewhere write) {
    WriteTarget target = write.target();
    if (target == null) {
      return false;
    }
    for (TableFacts of : byName.getOrDefault(target.name(), List.of())) {
      if (target.schema() == null ? of.onPath() : target.schema().equals(of.schema())) {
        return harmlessFunctions.containsAll(of.functions()) && (target.inserts() || of.alone());
      }
    }
    return false;
  }

  /** Whether, by the server's statistics, a write of any condition has few rows to write. */
  boolean writesFew(Analysis.Written written) {
    TableFacts of = facts.get(written.table());
    boolean keepsNumber =
        switch (written.kind()) {
          case UPDATE, DELETE -> true;
          case INSERT, MERGE -> false;
        };
    return of != null && of.small() && keepsNumber;
  }

  /** Whether what is written to the table is stored as it was given: nothing comes between. */
  boolean storesAsStated(ObservedTable table) {
    TableFacts of = facts.get(table);
    return of != null && of.returnsInserts() && of.functions().isEmpty() && table.namesWriters();
  }

  /** How, by the catalog, a statement can be rewritten without a failure or another answer. */
  @Nullable Rewriting allowed(Rewriting rewriting) {
    Analysis analysis = rewriting.addition().analysis();
    if (analysis instanceof Analysis.Query query) {
      for (Analysis.Source source : query.sources()) {
        if (!facts.containsKey(source.table())) {
          return null;
        }
      }
      return rewriting.keepsPositions(catalog::columnsAtLeast) ? rewriting : null;
    }
    TableFacts of =
        analysis instanceof Analysis.Written written ? facts.get(written.table()) : null;
    if (of == null) {
      return null;
    }
    return switch (((Analysis.Written) analysis).kind()) {
      case INSERT -> of.returnsInserts() ? rewriting : rewriting.keysOnly();
      case MERGE -> of.returnsInserts() ? rewriting : null;
      case UPDATE, DELETE -> rewriting;
    };
  }
}
