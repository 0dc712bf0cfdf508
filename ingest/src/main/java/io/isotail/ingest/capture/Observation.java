package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.BuiltInFunctions;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.FunctionNames;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.SqlDialect;
import io.isotail.ingest.sql.StatementAnalyzer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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
  private final Refusals refusals = new Refusals();
  private volatile IdentityHashMap<ObservedTable, TableFacts> facts = new IdentityHashMap<>();

  Observation(
      ObservedTables tables, BuiltInFunctions functions, CaptureConfig config, SqlDialect dialect) {
    this.tables = tables;
    this.functions = functions;
    this.harmlessFunctions = config.harmlessFunctions();
    Identities keyed = Identities.of(config.secret(), config.history());
    this.analyzer =
        new StatementAnalyzer(tables, config.harmlessFunctions(), functions, dialect, keyed);
    this.catalog = new ColumnCatalog(tables.all());
    this.identities = new RowIdentities(catalog, keyed);
  }

  ObservedTables tables() {
    return tables;
  }

  /** Statements that are not rewritten as long as the tables are these. */
  Refusals refusals() {
    return refusals;
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
  }

  /** Nothing is known of the tables until the catalog is asked again. */
  void forget() {
    facts = new IdentityHashMap<>();
  }

  /**
   * How many bytes the columns of a row have at most that a write answers with; -1 if not known.
   */
  int answerBytes(Analysis.Written written) {
    int bytes = written.tellsReplaced() ? 2 * XMIN_BYTES : XMIN_BYTES;
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
        || !of.functions().stream()
            .allMatch(function -> FunctionNames.contain(harmlessFunctions, null, function));
  }

  /** Whether what is written to the table is stored as it was given: nothing comes between. */
  boolean storesAsStated(ObservedTable table) {
    TableFacts of = facts.get(table);
    return of != null && of.returnsInserts() && of.functions().isEmpty() && table.namesWriters();
  }

  /**
   * Whether what a write returns can be taken in portions: the server writes it to a file as long
   * as it is not fetched, so not of a table that is known to be large, nor where rows come from
   * elsewhere.
   */
  boolean answersInPortions(Analysis.Written written) {
    TableFacts of = facts.get(written.table());
    boolean changes =
        written.kind() == Analysis.WriteKind.UPDATE || written.kind() == Analysis.WriteKind.DELETE;
    return changes && of != null && !of.large();
  }

  /** Whether the server has counted few rows of a table. */
  boolean isSmall(ObservedTable table) {
    TableFacts of = facts.get(table);
    return of != null && of.small();
  }

  /**
   * How a statement that can be rewritten so is rewritten on a server that returns what was
   * replaced: of a partitioned table it does not, when a row moves.
   */
  Rewriting tellingReplaced(Rewriting rewriting) {
    Rewriting more = rewriting.replaced();
    TableFacts of =
        rewriting.addition().analysis() instanceof Analysis.Written written
            ? facts.get(written.table())
            : null;
    return more != null && of != null && of.returnsInserts() ? more : rewriting;
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
