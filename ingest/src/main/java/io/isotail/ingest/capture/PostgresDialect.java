package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.PostgresSql;
import io.isotail.ingest.sql.SqlDialect;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: an error dooms its transaction, and the server tells what names mean. */
final class PostgresDialect implements Dialect {
  /**
   * Undefined column, no privilege, feature not supported, ambiguous column, grouping error, object
   * not in a state for it, invalid column reference.
   */
  private static final Set<String> OF_COLUMNS =
      Set.of(
          "42703", "42501", "0A000", "42702", "42803", "55000", "42P10", "42804", "42601", "42P01",
          "42P09");

  static final String DATABASE = "postgresql";

  /**
   * Tables, but for partitions, which their root stands for, and temporary ones. The key is the
   * primary key, or another unique key, unless it is checked only at the end of the transaction.
   *
   * <p>A write reaches the table, its partitions, and those that ON UPDATE changes with it. It
   * calls the functions of their triggers, and those of defaults, checks and domains: the catalog
   * tells which, but for those built in, and only volatile ones can write.
   */
  private static final String ALL_TABLES =
      """
      WITH RECURSIVE changes(relation, other) AS (
        SELECT i.inhparent, i.inhrelid FROM pg_catalog.pg_inherits i
        UNION
        SELECT f.confrelid, f.conrelid FROM pg_catalog.pg_constraint f
        WHERE f.contype = 'f' AND f.confupdtype IN ('c', 'n', 'd')
      ), defined(relation, class, id) AS (
        SELECT d.adrelid, 'pg_catalog.pg_attrdef'::pg_catalog.regclass, d.oid
        FROM pg_catalog.pg_attrdef d
        UNION ALL
        SELECT k.conrelid, 'pg_catalog.pg_constraint'::pg_catalog.regclass, k.oid
        FROM pg_catalog.pg_constraint k WHERE k.contype = 'c' AND k.conrelid <> 0
        UNION ALL
        SELECT a.attrelid, 'pg_catalog.pg_constraint'::pg_catalog.regclass, k.oid
        FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_attribute a ON a.atttypid = k.contypid
        WHERE k.contypid <> 0
      ), called(relation, name) AS (
        SELECT g.tgrelid, p.proname
        FROM pg_catalog.pg_trigger g JOIN pg_catalog.pg_proc p ON p.oid = g.tgfoid
        WHERE NOT g.tgisinternal AND g.tgenabled <> 'D'
        UNION ALL
        SELECT d.relation, p.proname FROM defined d
        JOIN pg_catalog.pg_depend e ON e.classid = d.class AND e.objid = d.id
          AND e.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
        JOIN pg_catalog.pg_proc p ON p.oid = e.refobjid AND p.provolatile = 'v'
        JOIN pg_catalog.pg_language l ON l.oid = p.prolang AND l.lanname NOT IN ('internal', 'c')
      ), reached(relation, root) AS (
        SELECT l.relation, l.relation FROM called l
        UNION
        SELECT r.relation, h.relation FROM reached r JOIN changes h ON h.other = r.root
      )
      SELECT n.nspname, c.relname,
        CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN 'yes' ELSE 'no' END,
        k.names, k.types,
        CASE WHEN c.relkind = 'r' THEN 'yes' ELSE 'no' END,
        w.functions,
        CASE WHEN c.oid IN (
          SELECT f.confrelid FROM pg_catalog.pg_constraint f
          WHERE f.contype = 'f' AND f.confdeltype IN ('c', 'n', 'd'))
        THEN 'yes' ELSE 'no' END,
        CASE WHEN c.reltuples > 1000000 OR c.relkind = 'p' THEN 'large'
          WHEN c.reltuples BETWEEN 1 AND 10000 THEN 'small' END,
        k.null, NULL%s
      FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN (
        SELECT r.root, pg_catalog.string_agg(DISTINCT l.name::text, pg_catalog.chr(31)) AS functions
        FROM reached r JOIN called l ON l.relation = r.relation GROUP BY r.root) w
        ON w.root = c.oid AND c.relkind IN ('r', 'p')
      LEFT JOIN LATERAL (
        SELECT pg_catalog.string_agg(a.attname::text, pg_catalog.chr(31) ORDER BY o.place) AS names,
          pg_catalog.string_agg(t.typname::text, pg_catalog.chr(31) ORDER BY o.place) AS types,
          pg_catalog.max(CASE WHEN a.attnotnull THEN 'no' ELSE 'yes' END) AS null
        FROM (
          SELECT i.indrelid, i.indkey, i.indnkeyatts FROM pg_catalog.pg_index i
          WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indimmediate
            AND i.indpred IS NULL AND i.indexprs IS NULL
          ORDER BY EXISTS (
              SELECT 1 FROM pg_catalog.pg_attribute m
              WHERE m.attrelid = c.oid AND NOT m.attnotnull
                AND m.attnum = ANY ((i.indkey::smallint[])[0:i.indnkeyatts - 1])),
            i.indisprimary DESC, i.indexrelid LIMIT 1) u
        CROSS JOIN LATERAL pg_catalog.unnest(u.indkey::smallint[]) WITH ORDINALITY o (column_number, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = u.indrelid AND a.attnum = o.column_number
          AND o.place <= u.indnkeyatts
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid) k ON true
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
        AND n.nspname NOT LIKE 'pg\\_%%' AND n.nspname <> 'information_schema'
        AND %s
      ORDER BY pg_catalog.array_position(pg_catalog.current_schemas(false), n.nspname) NULLS LAST,
        n.nspname, c.relname
      """;

  /**
   * Ids below 16384 are given out when a cluster is made. A function that takes a {@code cstring}
   * or an {@code internal} is the server's own, and no statement calls it with an argument of its
   * own.
   *
   * <p>Of an extension those are trusted that are declared immutable and written in C, but for
   * those that take a function; of PostGIS and some others those in SQL, too; and of some that come
   * with PostgreSQL, and of {@code vector}, all in C. {@code sql/Functions} names those that run
   * statements all the same. An aggregate is always declared immutable.
   */
  private static final String FUNCTIONS =
      """
      SELECT
        pg_catalog.string_agg(f.name, pg_catalog.chr(31) ORDER BY f.name)
          FILTER (WHERE f.trusted AND f.value),
        pg_catalog.string_agg(f.name, pg_catalog.chr(31) ORDER BY f.name)
          FILTER (WHERE f.trusted AND NOT f.value),
        pg_catalog.string_agg(f.name, pg_catalog.chr(31) ORDER BY f.name) FILTER (WHERE f.shared)
      FROM (
        SELECT p.name,
          pg_catalog.bool_and(p.value) AS value,
          pg_catalog.bool_and((p.built_in OR p.extending) AND NOT p.takes_own) AS trusted,
          pg_catalog.bool_or(p.built_in)
            AND pg_catalog.bool_or(NOT p.built_in AND NOT p.extending) AS shared
        FROM (
          SELECT p.proname::text AS name,
            NOT p.proretset AND a.aggfnoid IS NULL AS value,
            p.oid < 16384 AND p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AS built_in,
            a.aggfnoid IS NULL AND x.oid IS NOT NULL AND (
              (p.provolatile = 'i' AND (l.lanname IN ('internal', 'c')
                OR (l.lanname = 'sql' AND x.extname IN ('citext', 'earthdistance', 'postgis'))))
              OR (l.lanname = 'c' AND x.extname IN (
                'citext', 'cube', 'fuzzystrmatch', 'hstore', 'intarray', 'ltree', 'pg_trgm',
                'pgcrypto', 'unaccent', 'uuid-ossp', 'vector'))) AS extending,
            p.proargtypes::oid[] && ARRAY[
              'pg_catalog.cstring'::pg_catalog.regtype::oid,
              'pg_catalog.internal'::pg_catalog.regtype::oid]
              OR (p.oid >= 16384 AND p.proargtypes::oid[] && ARRAY[
                'pg_catalog.regproc'::pg_catalog.regtype::oid,
                'pg_catalog.regprocedure'::pg_catalog.regtype::oid]) AS takes_own
          FROM pg_catalog.pg_proc p
          JOIN pg_catalog.pg_language l ON l.oid = p.prolang
          LEFT JOIN pg_catalog.pg_aggregate a ON a.aggfnoid = p.oid
          LEFT JOIN pg_catalog.pg_depend d ON d.objid = p.oid AND d.deptype = 'e'
            AND d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
          LEFT JOIN pg_catalog.pg_extension x ON x.oid = d.refobjid) p
        GROUP BY p.name) f
      """;

  private static final String STANDBY =
      "CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'yes' ELSE 'no' END";

  /**
   * The cluster, its timeline, and the database in it. A physical copy has the first of its
   * original, and the second until it is promoted or was restored to a point in the past: from then
   * on both give out the same ids to different transactions. A standby tells the latest timeline
   * that it is known to have reached.
   */
  private static final String IDENTITY =
      """
      (SELECT c.system_identifier FROM pg_catalog.pg_control_system() c)::text || '/'
        || CASE WHEN pg_catalog.pg_is_in_recovery()
        THEN (
          SELECT GREATEST(k.timeline_id, r.min_recovery_end_timeline)
          FROM pg_catalog.pg_control_checkpoint() k, pg_catalog.pg_control_recovery() r)
        ELSE ('x' || pg_catalog.substr(
          pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8))::bit(32)::integer
        END || '/'
        || (SELECT d.oid FROM pg_catalog.pg_database d
          WHERE d.datname = pg_catalog.current_database())""";

  /**
   * Two letters for each table: what its bare name finds, and whether something may stand before
   * it. One query for all of them: a server that plans one for each takes seconds for 500.
   */
  private static final String NAMES =
      """
      (SELECT pg_catalog.string_agg(
        CASE WHEN c.oid IS NULL THEN '%c' WHEN n.nspname = t.schema THEN '%c' ELSE '%c' END
          || CASE WHEN EXISTS (
            SELECT 1 FROM pg_catalog.pg_class s WHERE s.relname = t.name
            AND s.relnamespace IN (
              pg_catalog.pg_my_temp_schema(), 'pg_catalog'::pg_catalog.regnamespace))
          THEN '%c' ELSE '%c' END, '' ORDER BY t.place)
      FROM ROWS FROM (pg_catalog.unnest(%%s), pg_catalog.unnest(%%s))
        WITH ORDINALITY t(schema, name, place)
      LEFT JOIN pg_catalog.pg_class c
        ON c.oid = pg_catalog.to_regclass(pg_catalog.quote_ident(t.name))
      LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace)"""
          .formatted(
              UnqualifiedNames.FINDS_NOTHING,
              UnqualifiedNames.FINDS_TABLE,
              UnqualifiedNames.FINDS_OTHER,
              UnqualifiedNames.MAY_BE_HIDDEN,
              UnqualifiedNames.IS_FIRST);

  private static final int FIRST_WITH_IDENTITY = 10;

  /** The tables of which a query or a write can return {@code xmin} without being refused. */
  private static final String TABLES = ALL_TABLES.formatted("", Unobserved.noneInCatalog());

  /** All tables: with why they are not observed, and whether they have a deferrable key. */
  private static final String SURVEY =
      ALL_TABLES.formatted(
          ",\n  "
              + Unobserved.firstInCatalog()
              + """
              ,
                CASE WHEN EXISTS (
                  SELECT 1 FROM pg_catalog.pg_index i
                  WHERE i.indrelid = c.oid AND i.indisunique AND NOT i.indimmediate)
                THEN 'yes' ELSE 'no' END""",
          "true");

  @Override
  public String database() {
    return DATABASE;
  }

  @Override
  public SqlDialect sql() {
    return PostgresSql.DIALECT;
  }

  @Override
  public String defaultSchema() {
    return "public";
  }

  @Override
  public boolean undoesSettings() {
    return true;
  }

  @Override
  public boolean fixesLevelBySnapshot() {
    return true;
  }

  @Override
  public boolean setsLevelOfNext() {
    return false; // It warns and sets nothing.
  }

  @Override
  public @Nullable String unknownLevel() {
    return null;
  }

  @Override
  public String settingsQuery(List<ObservedTable> tables, @Nullable String identity) {
    return "SELECT pg_catalog.current_setting('transaction_isolation'), "
        + STANDBY
        + ", "
        + (identity == null ? "NULL" : identity)
        + ", "
        + NAMES.formatted(
            names(tables, ObservedTable::schemaOrPublic), names(tables, ObservedTable::name))
        + ", current_user";
  }

  @Override
  public @Nullable String databaseIdentity(int majorVersion) {
    return majorVersion < FIRST_WITH_IDENTITY ? null : IDENTITY;
  }

  @Override
  public String standbyQuery() {
    return "SELECT " + STANDBY;
  }

  @Override
  public String runningQuery() {
    return "SELECT pg_catalog.txid_snapshot_xmin(s), pg_catalog.txid_snapshot_xmax(s)"
        + " FROM pg_catalog.txid_current_snapshot() s";
  }

  @Override
  public @Nullable String sizeQuery(ObservedTable table) {
    String name =
        ObservedTable.quoted(table.schemaOrPublic()) + "." + ObservedTable.quoted(table.name());
    return name.indexOf('\\') >= 0 // How that is read depends on a setting.
        ? null
        : "SELECT pg_catalog.pg_relation_size(c.oid) FROM pg_catalog.pg_class c"
            + " WHERE c.oid = pg_catalog.to_regclass('%s') AND c.relkind = 'r'"
                .formatted(name.replace("'", "''"))
            + " AND NOT c.relhassubclass AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_locks l"
            + " WHERE l.relation = c.oid AND l.mode = 'AccessExclusiveLock'"
            + " AND l.pid <> pg_catalog.pg_backend_pid())";
  }

  @Override
  public @Nullable String writerIdQuery(int majorVersion) {
    return majorVersion < 10 ? null : "SELECT pg_catalog.txid_current_if_assigned()";
  }

  @Override
  public boolean returnsFromMerge(int majorVersion) {
    return majorVersion >= 17;
  }

  @Override
  public boolean returnsReplaced(int majorVersion) {
    return majorVersion >= 18;
  }

  @Override
  public String tablesQuery() {
    return TABLES;
  }

  @Override
  public String columnsQuery() {
    return PostgresColumns.QUERY;
  }

  @Override
  public String functionsQuery() {
    return FUNCTIONS;
  }

  @Override
  public String surveyQuery() {
    return SURVEY;
  }

  private static String names(List<ObservedTable> tables, Function<ObservedTable, String> name) {
    return tables.stream()
        .map(table -> literal(name.apply(table)))
        .collect(Collectors.joining(", ", "ARRAY[", "]::pg_catalog.name[]"));
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  @Override
  public boolean mayRefuseColumns(Failure failure) {
    return failure.sqlState() != null && OF_COLUMNS.contains(failure.sqlState());
  }

  @Override
  public AfterFailure afterFailure(Failure failure) {
    return failure.hadNoEffect() ? AfterFailure.DOOMED : AfterFailure.GOES_ON;
  }

  @Override
  public boolean undoesFailedBatches() {
    return true; // Or dooms the transaction with them.
  }

  @Override
  public boolean closingRollsBack() {
    return true;
  }

  @Override
  public boolean keepsTransactionWithoutAutoCommit() {
    return true;
  }
}
